import { type JsonObject, objectAt } from '../../schema/json.ts';
import type { Kind } from '../../schema/kinds.ts';
import { linkOf } from '../../schema/links.ts';
import type { ApiReply, ApiRequest } from '../http/message.ts';
import { refOfRow, type Row } from '../store/row.ts';
import type { Platform } from './platform.ts';
import { Presenter } from './presenter.ts';
import type { Writing } from './writeRecord.ts';

/** Carries the reply of a rehearsed write out of its transaction, which is undone. */
class Rehearsed extends Error {
  readonly answer: ApiReply;

  constructor(answer: ApiReply) {
    super('rehearsed');
    this.answer = answer;
  }
}

/** One write in one transaction; with `?dryRun=true` it is undone, and its reply is 200. */
export async function write(
  platform: Platform,
  request: ApiRequest,
  kind: Kind,
  work: (writing: Writing) => ApiReply,
): Promise<ApiReply> {
  const validators = await platform.validatorsOf(kind);
  const rehearsed = request.method === 'PUT' && request.query.get('dryRun') === 'true';
  try {
    return await platform.store.write((tx) => {
      const answer = work({ platform, tx, validators });
      if (rehearsed) throw new Rehearsed({ status: 200, body: answer.body });
      return answer;
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.answer;
    throw error;
  }
}

/** The reply to a write: the record, with `Location` where it is new (protocol 3.1). */
export function shown({ platform, tx }: Writing, row: Row, status: 200 | 201): ApiReply {
  const presenter = new Presenter(platform, tx);
  if (status === 200) return { status, body: presenter.text(row) };
  const headers = { location: linkOf(refOfRow(row), platform.org) };
  return { status, body: presenter.text(row, row.kind === 'agent' ? bootstrap(platform, row) : {}), headers };
}

/** How an agent registers: shown in the answer to its creation only (resources B14). */
function bootstrap(platform: Platform, row: Row): JsonObject {
  const agentLink = linkOf(refOfRow(row), platform.org);
  const registrationToken = platform.randomText(40);
  return {
    status: {
      ...objectAt(objectAt(row.state, 'shown'), 'status'),
      bootstrapConfig: { registrationToken, agentId: row.uid, agentLink, hubEndpoint: '', protocolVersion: 'v1' },
    },
  };
}
