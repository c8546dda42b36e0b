import type { JsonValue } from '../../../base/json/json.ts';
import { JsonCursor } from './jsonCursor.ts';

/** A part of a snapshot: a member of the document, of an org, or an item of one of an org's lists. */
export type SnapshotPart =
  | { readonly of: 'document'; readonly name: string; readonly value: JsonValue }
  | { readonly of: 'org'; readonly org: string }
  | { readonly of: 'member'; readonly org: string; readonly name: string; readonly value: JsonValue }
  | {
      readonly of: 'item';
      readonly org: string;
      readonly name: string;
      readonly index: number;
      readonly value: JsonValue;
    };

/** The parts of a snapshot, one at a time, so that it is never in memory as a whole. Throws a SyntaxError. */
export function* snapshotParts(pieces: readonly string[]): Generator<SnapshotPart> {
  const cursor = new JsonCursor(pieces);
  for (const name of cursor.members()) {
    if (name !== 'orgs' || !cursor.isAt('{')) yield { of: 'document', name, value: cursor.value() };
    else yield* orgs(cursor);
  }
  cursor.end();
}

function* orgs(cursor: JsonCursor): Generator<SnapshotPart> {
  for (const org of cursor.members()) {
    yield { of: 'org', org };
    if (cursor.isAt('{')) yield* members(cursor, org);
    else yield { of: 'member', org, name: '', value: cursor.value() };
  }
}

function* members(cursor: JsonCursor, org: string): Generator<SnapshotPart> {
  for (const name of cursor.members()) {
    if (!cursor.isAt('[')) yield { of: 'member', org, name, value: cursor.value() };
    else {
      let index = 0;
      for (const _ of cursor.items()) {
        yield { of: 'item', org, name, index, value: cursor.value() };
        index += 1;
      }
    }
  }
}
