import type { Reader } from '../../base/form/read.ts';
import { type JsonObject, numberAt, objectAt, sameJson } from '../../base/json/json.ts';
import { linkOf } from '../../schema/record/ref.ts';
import { readStage, type Stage } from '../commands/decisions/lifecycle.ts';
import type { Session, UnitOfWork } from '../core/session.ts';
import { type Entry, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { addEvent } from './eventLog.ts';

/** The state of a command; `status` may be any object (platform/commands). */
export interface CommandState {
  readonly lifecycleStage: Stage;
  readonly status: JsonObject;
}

/** The part of a command that its author sent. */
export interface SentCommand {
  readonly id: string;
  readonly type: string;
  readonly spec: JsonObject;
  readonly tags: JsonObject;
}

/** Writes a command to the journal as it is shown (platform/commands). */
export function addCommand(
  { platform, tx }: UnitOfWork,
  owner: Row,
  sent: SentCommand,
  state: CommandState,
): JsonObject {
  const { id, type, spec, tags } = sent;
  const atMs = platform.now();
  const created = new Date(atMs).toISOString();
  const home = linkOf(refOfRow(owner), platform.org);
  const body: JsonObject = {
    kind: 'command',
    id,
    ownerId: owner.uid,
    version: 1,
    created,
    lastModified: created,
    links: [
      { rel: 'self', href: `${home}/-command/${id}` },
      { rel: 'owner', href: home },
      { rel: 'org', href: `/org/${platform.org}` },
    ],
    tags,
    type,
    spec,
    ...state,
  };
  tx.addEntry({
    journal: 'command',
    id,
    owner: owner.uid,
    kind: type,
    name: state.lifecycleStage,
    subject: '',
    context: '',
    atMs,
    body,
  });
  logStage({ platform, tx }, owner, type, state.lifecycleStage);
  return body;
}

/** Logs the progress of a command to the event log of its record (platform/audit.event-log). */
function logStage(at: UnitOfWork, owner: Row, type: string, stage: string): void {
  addEvent(at, owner, { component: 'actuator', category: 'command', status: `command ${type} ${stage}` });
}

function rowOfCommand(tx: Transaction, uid: string): Row | undefined {
  return tx.byUid('workload', uid) ?? tx.byUid('volumeset', uid) ?? tx.byUid('org', uid);
}

export function findCommand(tx: Transaction, id: string): Entry | undefined {
  return tx.entries({ journal: 'command', id, limit: 1 })[0];
}

export function stageOf({ name }: Entry): Stage {
  const stage = readStage(name);
  if (stage === undefined) throw new Error(`unknown stage of a command: ${name}`);
  return stage;
}

export function statusOf({ body }: Entry): JsonObject {
  return objectAt(body, 'status');
}

/**
 * Sets the next state of a command and raises its version (platform/commands). Does nothing if the command was deleted
 * or already has that state.
 */
export function changeCommand({ platform, tx }: UnitOfWork, id: string, state: CommandState): void {
  const entry = findCommand(tx, id);
  if (entry === undefined) return;
  const { lifecycleStage, status } = state;
  if (entry.name === lifecycleStage && sameJson(statusOf(entry), status)) return;
  const version = numberAt(entry.body, 'version') ?? 0;
  tx.changeEntry({
    ...entry,
    name: lifecycleStage,
    body: {
      ...entry.body,
      version: version + 1,
      // The clocks of servers differ, and a clock may be set back.
      lastModified: new Date(Math.max(platform.now(), entry.atMs)).toISOString(),
      lifecycleStage,
      status,
    },
  });
  const owner = entry.name === lifecycleStage ? undefined : rowOfCommand(tx, entry.owner);
  if (owner !== undefined) logStage({ platform, tx }, owner, entry.kind, lifecycleStage);
}

/** A command to start. */
interface NewCommand {
  readonly id: string;
  readonly spec: JsonObject;
}

/** One type of command (platform/commands). */
export interface CommandType {
  readonly owner: 'org' | 'volumeset' | 'workload';
  readonly type: string;
  /** The reader of its `spec`, which is checked before `begin`. */
  readonly spec: Reader<unknown>;
  /**
   * Checks the command against its record and starts it; throws an ApiFailure to refuse it. The entry is written
   * afterwards. Schedules later steps as due work that calls `changeCommand`.
   */
  readonly begin: (session: Session, row: Row, command: NewCommand) => CommandState;
  /**
   * Undoes what `begin` scheduled or started; the caller sets the stage. Without it a command can be cancelled only
   * while it is pending, and its due work must check the stage.
   */
  readonly cancel?: (session: Session, row: Row, command: Entry) => void;
}
