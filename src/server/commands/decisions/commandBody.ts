import {
  At,
  document,
  json,
  object,
  optional,
  optionals,
  type Reader,
  text,
  tryRead,
} from '../../../base/form/read.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { withArticle } from '../../../base/text/article.ts';
import { bodyProblems, type Problem } from '../../../schema/record/problem.ts';

/** Platform-owned members of a command: ignored in a request, as for every record (platform/wire.writes). */
const readOnly = [
  ...['id', 'kind', 'ownerId', 'version', 'created', 'lastModified', 'links', 'lifecycleStage', 'status'],
] as const;

const envelope = object({
  type: text,
  spec: optional(document),
  tags: optional(document),
  ...optionals(Object.fromEntries(readOnly.map((name) => [name, json]))),
});

/** The part of a command type that its body depends on. */
export interface KnownType {
  readonly owner: string;
  readonly type: string;
  readonly spec: Reader<unknown>;
}

export type ReadCommand<T extends KnownType> =
  | { readonly ok: true; readonly type: T; readonly spec: JsonObject; readonly tags: JsonObject }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The body of `POST <item>/-command` (platform/commands): `type`, `spec` by the schema of that type, `tags`. */
export function readCommand<T extends KnownType>(body: JsonObject, owner: string, types: readonly T[]): ReadCommand<T> {
  const at = new At();
  const read = tryRead(() => envelope.read(body, at));
  if ('problems' in read) return { ok: false, problems: bodyProblems(read.problems) };
  const { type: name, tags = {} } = read.value;
  const type = types.find((each) => each.owner === owner && each.type === name);
  if (type === undefined) return { ok: false, problems: [unknownType(name, owner, types)] };
  const spec = withoutNulls(read.value.spec ?? {});
  const checked = tryRead(() => type.spec.read(spec, at.key('spec')));
  if ('problems' in checked) return { ok: false, problems: bodyProblems(checked.problems) };
  return { ok: true, type, spec, tags: withoutNulls(tags) };
}

/** A `null` member counts as omitted, as in every other request (platform/concepts.tags). */
function withoutNulls(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

function unknownType(name: string, owner: string, types: readonly KnownType[]): Problem {
  const known = types.filter((each) => each.owner === owner).map((each) => each.type);
  const elsewhere = types.find((each) => each.type === name);
  const message =
    elsewhere === undefined
      ? `${JSON.stringify(name)} is not a type of command; ${withArticle(owner)} takes ${known.join(', ')}`
      : `${name} is a command of ${withArticle(elsewhere.owner)}; ${withArticle(owner)} takes ${known.join(', ')}`;
  return { rule: 'command.type', path: 'type', pointer: ['type'], message, severity: 'error' };
}
