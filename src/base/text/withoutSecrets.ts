import { isArray, isObject, type JsonValue } from '../json/json.ts';

/** At least this many consecutive characters of a secret are masked; a shorter secret only as a whole. */
const pieceLength = 12;
export const mask = '***';

/**
 * The document's texts without parts of secrets: unchanged, escaped for JSON (once for each nested document), for URLs,
 * in hex, and in base64 at any offset; also any twelve characters of them.
 */
export function withoutSecrets(document: JsonValue, secrets: readonly string[]): JsonValue {
  if (secrets.length === 0) return document;
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const pieces = new Set(forms.flatMap(piecesOf));
  const short = forms.filter((form) => form.length < pieceLength);
  return maskIn(document, (text) =>
    short.reduce((shown, form) => shown.replaceAll(form, mask), maskPieces(text, pieces)),
  );
}

function maskIn(value: JsonValue, masked: (text: string) => string): JsonValue {
  if (typeof value === 'string') return masked(value);
  if (isArray(value)) return value.map((item) => maskIn(item, masked));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [masked(key), maskIn(member, masked)]));
}

const escapes = 3;
/** The base64 of a shorter text depends too much on its neighbours. */
const shortestEncoded = 9;

function formsOf(secret: string): readonly string[] {
  const escaped: string[] = [secret];
  for (let level = 0; level < escapes; level += 1) escaped.push(JSON.stringify(escaped.at(-1)).slice(1, -1));
  const inForm = new URLSearchParams({ x: secret }).toString().slice('x='.length);
  const plain = [...escaped, encodeURIComponent(secret.toWellFormed()), inForm];
  if (secret.length < shortestEncoded) return plain;
  const hex = Buffer.from(secret).toString('hex');
  return [...plain, hex, hex.toUpperCase(), ...base64Forms(secret)];
}

/** The base64 that is equal at any offset: without the groups shared with neighbours. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const whole = padded.toString('base64').replace(/=+$/, '');
    const own = whole.slice(shift === 0 ? 0 : 4, padded.length % 3 === 0 ? undefined : -2);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function piecesOf(form: string): readonly string[] {
  return Array.from({ length: Math.max(0, form.length - pieceLength + 1) }, (_, at) =>
    form.slice(at, at + pieceLength),
  );
}

function maskPieces(text: string, pieces: ReadonlySet<string>): string {
  let shown = '';
  let from = 0;
  for (let at = 0; at + pieceLength <= text.length; at += 1) {
    if (!pieces.has(text.slice(at, at + pieceLength))) continue;
    let end = at + 1;
    while (pieces.has(text.slice(end, end + pieceLength))) end += 1;
    shown += text.slice(from, at) + mask;
    from = end + pieceLength - 1;
    at = from - 1;
  }
  return shown + text.slice(from);
}
