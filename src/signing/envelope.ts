import { sign, verify } from 'node:crypto';
import { isObject, type JsonObject, listAt, stringAt } from '../base/json/json.ts';
import type { PublicKey } from './publicKey.ts';
import type { SigningKey } from './signingKey.ts';
import { type Statement, statementForm } from './statement.ts';

/** Prevents that a signature of these keys for another purpose, or another version, counts for a plan. */
const payloadType = 'application/vnd.gantry.plan-signature.v1+json';

/** One signature: a DSSE envelope in one line (github.com/secure-systems-lab/dsse, version 1). */
export interface Envelope {
  readonly statement: Statement;
  readonly payload: Buffer;
  readonly signature: Buffer;
}

/** The line of a new signature, with its line end. Ed25519 is deterministic: equal statements give equal lines. */
export function signStatement(statement: Statement, { privateKey }: SigningKey): string {
  const payload = Buffer.from(JSON.stringify(statementForm.write(statement)));
  return writeEnvelope({ statement, payload, signature: sign(null, preAuthentication(payload), privateKey) });
}

function writeEnvelope({ statement, payload, signature }: Envelope): string {
  const signatures = [{ keyid: statement.key, sig: signature.toString('base64') }];
  return `${JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures })}\n`;
}

export function isSignedBy({ payload, signature }: Envelope, { key }: PublicKey): boolean {
  return verify(null, preAuthentication(payload), key, signature);
}

/** The signed bytes (DSSE, PAE): the type and the payload, each with its length. */
function preAuthentication(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

/** Undefined unless it is exactly what `signStatement` writes. There is one way to write a signature. */
export function readEnvelope(line: string): Envelope | undefined {
  const outer = parse(line);
  const payload = bytesAt(outer, 'payload');
  const [only] = listAt(outer, 'signatures');
  const statement = parse(payload.toString('utf8'));
  if (!statementForm.is(statement) || !isTime(statement.signedAt) || !isTime(statement.expiresAt)) return undefined;
  const envelope = { statement, payload, signature: bytesAt(isObject(only) ? only : {}, 'sig') };
  const isCanonical = payload.equals(Buffer.from(JSON.stringify(statementForm.write(statement))));
  return isCanonical && writeEnvelope(envelope) === `${line}\n` ? envelope : undefined;
}

/** Whether a file begins like a list of signatures, complete or not. */
export function isSignatureList(text: string): boolean {
  return text === '' || text.startsWith(`{"payloadType":"${payloadType}"`);
}

function parse(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function bytesAt(object: JsonObject, name: string): Buffer {
  return Buffer.from(stringAt(object, name) ?? '', 'base64');
}

function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isFinite(ms) && new Date(ms).toISOString() === text;
}
