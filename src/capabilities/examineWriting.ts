import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  own,
  sameJson,
  stringAt,
} from '../base/json/json.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { childShape } from '../schema/shape/paths.ts';
import type { Shape } from '../schema/shape/shape.ts';
import {
  type Decide,
  holds,
  isSuccess,
  otherwise,
  type Question,
  type Seen,
  type Survey,
  statusText,
  unasked,
  type Verdict,
} from './survey.ts';

/** The tag of the doctor's resources; its value is the name of the GVC. */
export const doctorTag = 'gantry/doctor';
/** The maximum length of Gantry's marks. */
const longTag = 'x'.repeat(480);

/** One write, and the reads after it. */
export interface Step {
  readonly name: string;
  /** Undefined if there is nothing to test with. */
  ask(survey: Survey, gvc: string): Question | undefined;
  /**
   * The record to read after a success, until it is as new as the response: as `NAME:first`, and finally `NAME:after`.
   */
  readonly reads?: 'gvc' | 'workload';
  /** The record must finally be absent. */
  readonly isDeletion?: true;
  /**
   * The body without optional parts, in case the platform refuses them; the first response is stored as `NAME:refused`.
   */
  readonly plainer?: JsonObject;
  /**
   * 404 and 409 may be temporary: its prerequisites are created in the background. The first response is stored as
   * `NAME:first-answer`.
   */
  readonly mayWait?: true;
}

const workloadName = 'doctor';

export function pathsOf(
  org: string,
  gvc: string,
): { readonly gvcs: string; readonly gvc: string; readonly workload: string } {
  const gvcs = `/org/${encodeURIComponent(org)}/gvc`;
  return { gvcs, gvc: `${gvcs}/${gvc}`, workload: `${gvcs}/${gvc}/workload/${workloadName}` };
}

const item = (name: string, value: string): JsonObject => ({ name, value });
const env = { A: item('A', '1'), B: item('B', '2'), C: item('C', '3'), D: item('D', '4'), E: item('E', '5') };

const workload: JsonObject = {
  name: workloadName,
  spec: {
    type: 'standard',
    containers: [
      {
        name: 'main',
        image: 'registry.invalid/doctor:1',
        inheritEnv: false,
        ports: [{ number: 8080, protocol: 'http' }],
      },
    ],
    defaultOptions: { suspend: true },
  },
};

/** A PATCH of the GVC. The order matters: each one depends on the result of the previous one. */
function patch(name: string, body: JsonObject): Step {
  return {
    name,
    reads: 'gvc',
    ask: (survey, gvc) =>
      survey.body('create') === undefined && survey.body('create:after') === undefined
        ? undefined
        : { method: 'PATCH', path: pathsOf(survey.org, gvc).gvc, body },
  };
}

const onEnv = (directive: string, value: readonly (JsonObject | string)[]): JsonObject => ({
  spec: { [directive]: value },
});

/** The last read of the GVC. */
function current(survey: Survey): JsonObject | undefined {
  const last = steps.filter(({ reads }) => reads === 'gvc').findLast(({ name }) => survey.body(`${name}:after`));
  return last === undefined ? undefined : survey.body(`${last.name}:after`);
}

/** A PATCH with `id` and `version`. */
function pinned(name: string, pins: (id: string, version: number, gvc: string) => JsonObject, body: JsonObject): Step {
  return {
    name,
    reads: 'gvc',
    ask(survey, gvc) {
      const now = current(survey);
      const [id, version] = now === undefined ? [] : [stringAt(now, 'id'), numberAt(now, 'version')];
      if (id === undefined || version === undefined) return undefined;
      return { method: 'PATCH', path: pathsOf(survey.org, gvc).gvc, body: { ...pins(id, version, gvc), ...body } };
    },
  };
}

const isMade = (survey: Survey): boolean => survey.body('create:after') !== undefined;

/** All tests of `--write`, in a separate GVC, in this order. The last step deletes it. */
export const steps: readonly Step[] = [
  {
    name: 'create',
    reads: 'gvc',
    plainer: { spec: { env: [env.A, env.B, env.C] } },
    ask: ({ org }, gvc) => ({
      method: 'POST',
      path: pathsOf(org, gvc).gvcs,
      body: {
        name: gvc,
        description: 'Made by gantry doctor --write, which deletes it again.',
        tags: { [doctorTag]: gvc, [`${doctorTag}-long`]: longTag, one: 'a', two: 'b' },
        spec: { env: [env.A, env.B, env.C] },
      },
    }),
  },
  {
    name: 'fresh',
    ask: (survey, gvc) => ({
      method: 'POST',
      path: `${pathsOf(survey.org, gvc).gvcs}/-query`,
      body: { kind: 'gvc', fetch: 'items', spec: { match: 'any', terms: [{ op: '=', tag: doctorTag, value: gvc }] } },
    }),
  },
  {
    name: 'taken',
    ask: (survey, gvc) =>
      isMade(survey) ? { method: 'POST', path: pathsOf(survey.org, gvc).gvcs, body: { name: gvc } } : undefined,
  },
  pinned('other-version', (id, version) => ({ id, version: version > 1 ? version - 1 : version + 1 }), {}),
  pinned('other-id', (_, version, gvc) => ({ id: gvc, version }), {}),
  pinned('pinned', (id, version) => ({ id, version }), { tags: { three: 'c' } }),
  patch('changed', { tags: { four: 'd' } }),
  patch('same', { tags: { one: 'a' } }),
  patch('null', { tags: { one: null } }),
  patch('drop', { tags: { $drop: ['two'] } }),
  patch('patch', onEnv('$patch/env', [item('B', 'x')])),
  patch('append', onEnv('$append/env', [env.D, env.E])),
  patch('drop-items', onEnv('$drop/env', ['A'])),
  patch('retain', onEnv('$retain/env', ['C', 'E'])),
  patch('replace', onEnv('$replace/env', [env.D, env.A])),
  patch('list', { spec: { env: [env.B] } }),
  {
    name: 'workload',
    reads: 'workload',
    mayWait: true,
    ask: (survey, gvc) =>
      isMade(survey) ? { method: 'POST', path: `${pathsOf(survey.org, gvc).gvc}/workload`, body: workload } : undefined,
  },
  ofWorkloads('list-in-own', 'workload'),
  ofWorkloads('deployments-of-own', `workload/${workloadName}/deployment`),
  {
    name: 'dry-run',
    ask: (survey, gvc) =>
      isMade(survey)
        ? {
            method: 'PUT',
            path: `${pathsOf(survey.org, gvc).gvc}/workload/dry?dryRun=true`,
            body: { ...workload, name: 'dry' },
          }
        : undefined,
  },
  {
    name: 'dry-run:stored',
    ask: (survey, gvc) =>
      survey.seen('dry-run') === undefined
        ? undefined
        : { method: 'GET', path: `${pathsOf(survey.org, gvc).gvc}/workload/dry` },
  },
  { ...deletion('delete', 'workload'), reads: 'workload', isDeletion: true },
  deletion('delete-again', 'workload'),
  {
    name: 'again',
    reads: 'workload',
    mayWait: true,
    ask: (survey, gvc) =>
      survey.body('workload') === undefined
        ? undefined
        : { method: 'POST', path: `${pathsOf(survey.org, gvc).gvc}/workload`, body: workload },
  },
  { name: 'idle', ask: (survey, gvc) => ({ method: 'GET', path: pathsOf(survey.org, gvc).gvc }) },
  { ...deletion('delete-gvc', 'gvc'), reads: 'gvc', isDeletion: true },
  {
    name: 'cascade',
    ask: (survey, gvc) => ({ method: 'GET', path: pathsOf(survey.org, gvc).workload }),
  },
];

function ofWorkloads(name: string, path: string): Step {
  return {
    name,
    ask: (survey, gvc) =>
      survey.body('workload:after') === undefined
        ? undefined
        : { method: 'GET', path: `${pathsOf(survey.org, gvc).gvc}/${path}` },
  };
}

function deletion(name: string, of: 'gvc' | 'workload'): Step {
  return {
    name,
    ask: (survey, gvc) =>
      survey.body(of === 'gvc' ? 'create:after' : 'workload:after') === undefined
        ? undefined
        : { method: 'DELETE', path: pathsOf(survey.org, gvc)[of] },
  };
}

/** Whether the read shows the result of the write. A response without a version, or an older one, proves nothing. */
export function isCurrent({ isDeletion }: Step, answer: Seen, read: Seen, absent?: Seen): boolean {
  if (isDeletion === true) return isGone(read, absent);
  const [answered, shown] = [answer, read].map(({ body }) => (isObject(body) ? numberAt(body, 'version') : undefined));
  return isSuccess(read) && (answered === undefined || (shown !== undefined && shown >= answered));
}

/** `absent`: the platform's response for a name that never existed. */
export function isGone({ status, body }: Seen, absent?: Seen): boolean {
  if (status === 404 || status === 410) return true;
  const isRecord = isObject(body) && own(body, 'name') !== undefined;
  const isUsual = status !== 0 && (status < 300 || status >= 400);
  return isUsual && status === absent?.status && !isRecord;
}

const refusedBefore = unasked('a write that it needs was refused');

/** Decides whether a PATCH had this effect. */
function effect(step: string, isRight: (record: JsonObject) => boolean): Decide {
  return (survey) => {
    if (survey.seen(step) === undefined) return refusedBefore;
    return survey.about(step, (seen) => {
      if (!isSuccess(seen)) return otherwise(`${seen.status}`);
      const record = survey.body(`${step}:after`);
      if (record === undefined) return unasked('the record could not be read');
      return isRight(record) ? holds : otherwise('accepted, with another effect');
    });
  };
}

const envOf = (record: JsonObject): JsonArray => listAt(objectAt(record, 'spec'), 'env');
const hasEnv =
  (...items: readonly JsonObject[]) =>
  (record: JsonObject): boolean =>
    sameJson(listAt(objectAt(record, 'spec'), 'env'), items);
const lacksTag =
  (tag: string) =>
  (record: JsonObject): boolean =>
    !Object.hasOwn(objectAt(record, 'tags'), tag);

function status(step: string, isRight: (seen: Seen) => boolean): Decide {
  return (survey) =>
    survey.seen(step) === undefined
      ? refusedBefore
      : survey.about(step, (seen) => (isRight(seen) ? holds : otherwise(statusText(seen))));
}

const versionAt = (survey: Survey, question: string): number | undefined =>
  numberAt(survey.body(question) ?? {}, 'version');

/** Compares the versions of two reads. */
function versions(before: string, after: string, isRight: (before: number, after: number) => boolean): Decide {
  return (survey) => {
    const [first, second] = [versionAt(survey, before), versionAt(survey, after)];
    if (first === undefined || second === undefined) return refusedBefore;
    return isRight(first, second) ? holds : otherwise(`${first}, then ${second}`);
  };
}

/** Decides on the stored workload. */
function stored(decide: (record: JsonObject) => Verdict): Decide {
  return (survey) => {
    const record = survey.body('workload:after');
    return record === undefined ? refusedBefore : decide(record);
  };
}

function listed(question: string, isRight: (items: readonly JsonObject[]) => boolean): Decide {
  return (survey) => {
    if (survey.seen(question) === undefined) return refusedBefore;
    return survey.about(question, (seen) => {
      const items = survey.items(question);
      if (items === undefined) return otherwise(statusText(seen));
      return isRight(items) ? holds : otherwise('it lacks what was created');
    });
  };
}

const container = (record: JsonObject): JsonObject => {
  const [first] = listAt(objectAt(record, 'spec'), 'containers');
  return isObject(first) ? first : {};
};
const port = (record: JsonObject): JsonObject => {
  const [first] = listAt(container(record), 'ports');
  return isObject(first) ? first : {};
};

/**
 * Omitted fields that are returned with an undocumented default: their paths, with `*` for list items, and the values.
 */
export function otherDefaults(
  shape: Shape | undefined,
  sent: unknown,
  shown: unknown,
  path = '',
): readonly (readonly [string, JsonValue])[] {
  if (isArray(shown)) {
    return shown.flatMap((each, index) => {
      const [before] = isArray(sent) ? [sent[index]] : [];
      return isObject(before) ? otherDefaults(childShape(shape, index), before, each, `${path}.*`) : [];
    });
  }
  if (!isObject(shown) || !isObject(sent)) return [];
  return Object.entries(shown).flatMap(([key, value]) => {
    const inside = childShape(shape, key);
    const name = path === '' ? key : `${path}.${key}`;
    const before = own(sent, key);
    if (before !== undefined) return otherDefaults(inside, before, value, name);
    const { fill, default: usual } = inside?.facts ?? {};
    return fill === 'constant' && usual !== undefined && !isObject(value) && !sameJson(value, usual)
      ? [[name, value] as const]
      : [];
  });
}

function ownDefaults(record: JsonObject): ReturnType<typeof otherDefaults> {
  return otherDefaults(shapeOf('workload'), workload, record);
}

/** Values that the platform fills in by its own defaults, by kind and path. */
export function defaultsShown(survey: Survey): ReturnType<typeof otherDefaults> {
  const record = survey.body('workload:after');
  return record === undefined ? [] : ownDefaults(record);
}

function said(...names: readonly string[]): Verdict {
  return names.length === 0 ? holds : otherwise(names.join(', '));
}

/** Reads that returned an older state than the preceding write. */
function lagging(survey: Survey): readonly string[] {
  return steps
    .filter((step) => {
      const [answer, first] = [survey.seen(step.name), survey.seen(`${step.name}:first`)];
      return answer !== undefined && first !== undefined && isSuccess(answer) && !isCurrent(step, answer, first);
    })
    .filter(({ isDeletion }) => isDeletion !== true)
    .map(({ name }) => name);
}

export const writingDecisions = {
  'write.preconditions': (survey) => {
    const asked = ['other-version', 'other-id'].flatMap((name) => survey.seen(name) ?? []);
    if (asked.length < 2) return refusedBefore;
    if (asked.some(({ status: code }) => code === 400)) return unasked('id and version are refused in a PATCH');
    return said(...asked.filter(({ status: code }) => code !== 409).map(statusText));
  },
  'write.pins': status('pinned', isSuccess),
  'write.answer': (survey) => {
    const [created, changed, after] = ['create', 'pinned', 'pinned:after'].map((name) => survey.body(name));
    if (!isMade(survey) || after === undefined) return refusedBefore;
    const lacking = [
      ...(created === undefined || stringAt(created, 'id') === undefined ? ['POST'] : []),
      ...(changed === undefined || !sameJson(own(changed, 'version'), own(after, 'version')) ? ['PATCH'] : []),
    ];
    return said(...lacking);
  },
  'write.at-once': (survey) =>
    survey.seen('workload') === undefined
      ? refusedBefore
      : survey.seen('workload:first-answer') === undefined
        ? holds
        : otherwise(`${survey.seen('workload:first-answer')?.status}`),
  'write.taken': status('taken', ({ status: code }) => code === 409),
  'write.drop': effect('drop', lacksTag('two')),
  'write.null': effect('null', lacksTag('one')),
  'write.patch-items': effect('patch', hasEnv(env.A, item('B', 'x'), env.C)),
  'write.append': effect('append', (record) => sameJson(envOf(record).slice(-2), [env.D, env.E])),
  'write.drop-items': effect('drop-items', (record) => !envOf(record).some((each) => isNamed(each, 'A'))),
  'write.retain': effect('retain', hasEnv(env.C, env.E)),
  'write.replace': effect('replace', hasEnv(env.D, env.A)),
  'write.list': effect('list', hasEnv(env.B)),
  'write.dry-run': (survey) => {
    const [asked, there] = [survey.seen('dry-run'), survey.seen('dry-run:stored')];
    if (asked === undefined || there === undefined) return refusedBefore;
    if (!isSuccess(asked)) return otherwise(statusText(asked));
    return isGone(there) ? holds : otherwise('it was stored');
  },
  'read.query-tag': (survey) => {
    const mine = survey.body('create:after');
    if (mine === undefined) return refusedBefore;
    return survey.about('fresh', (seen) => {
      const found = survey.items('fresh');
      if (found === undefined) return otherwise(statusText(seen));
      if (found.length === 0) return unasked('the query did not show the new record yet');
      const others = found.filter((each) => !sameJson(own(each, 'name'), own(mine, 'name')));
      return others.length === 0 ? holds : otherwise('it returns records that do not match');
    });
  },
  'read.list-of-gvc': listed('list-in-own', (items) => items.some((each) => isNamed(each, workloadName))),
  'read.deployments': listed('deployments-of-own', () => true),
  'link.gvc': stored((record) =>
    /^\/org\/[^/]+\/gvc\/[^/]+/.test(hrefOf(record, 'gvc') ?? hrefOf(record, 'self') ?? '') ? holds : otherwise(),
  ),
  'read.own-writes': (survey) => {
    if (!isMade(survey)) return refusedBefore;
    const found = survey.items('fresh');
    return said(...lagging(survey), ...(found?.length === 0 ? ['query'] : []));
  },
  'version.plus-one': versions('pinned:after', 'changed:after', (before, after) => after === before + 1),
  'version.rises': versions('pinned:after', 'changed:after', (before, after) => after > before),
  'version.counts-changes': versions('changed:after', 'same:after', (before, after) => after === before),
  'version.only-writes': versions('list:after', 'idle', (before, after) => after === before),
  'value.case': stored((record) =>
    said(
      ...(own(objectAt(record, 'spec'), 'type') === 'standard' ? [] : ['type']),
      ...(own(port(record), 'protocol') === 'http' ? [] : ['protocol']),
    ),
  ),
  'value.types': stored((record) =>
    said(
      ...(typeof own(port(record), 'number') === 'number' ? [] : ['number']),
      ...(typeof own(objectAt(objectAt(record, 'spec'), 'defaultOptions'), 'suspend') === 'boolean' ? [] : ['suspend']),
    ),
  ),
  'value.empty': stored((record) => (own(container(record), 'inheritEnv') === false ? holds : otherwise('a false'))),
  'value.order': (survey) => {
    const record = survey.body('create:after');
    if (record === undefined) return refusedBefore;
    return hasEnv(env.A, env.B, env.C)(record) ? holds : otherwise();
  },
  'value.tag-keys': (survey) => {
    const refused = survey.seen('create:refused');
    if (refused !== undefined) return isMade(survey) ? otherwise(statusText(refused)) : refusedBefore;
    const record = survey.body('create:after');
    if (record === undefined) return refusedBefore;
    const tags = objectAt(record, 'tags');
    const isKept = Object.values(tags).some((value) => value === longTag) && own(tags, doctorTag) !== undefined;
    return isKept ? holds : otherwise(own(tags, doctorTag) === undefined ? 'they are missing' : 'they are cut');
  },
  'value.digests': stored((record) =>
    own(container(record), 'image') === 'registry.invalid/doctor:1' ? holds : otherwise(),
  ),
  'value.description': stored((record) => (own(record, 'description') === workloadName ? holds : otherwise())),
  'value.defaults': stored((record) => said(...ownDefaults(record).map(([path]) => path))),
  'value.tags': (survey) => {
    const record = survey.body('create:after');
    if (record === undefined) return refusedBefore;
    const more = Object.keys(objectAt(record, 'tags')).filter(
      (tag) => !tag.startsWith(doctorTag) && !['one', 'two'].includes(tag),
    );
    return more.length === 0 ? holds : otherwise('it adds some');
  },
  'delete.absent': (survey) =>
    survey.seen('delete:after') === undefined
      ? refusedBefore
      : survey.about('delete:after', (seen) => (seen.status === 404 ? holds : otherwise(statusText(seen)))),
  'delete.again': status('delete-again', ({ status: code }) => code === 404),
  'delete.name-reusable': status('again', isSuccess),
  'delete.cascade': (survey) => {
    const [asked, along] = [survey.seen('delete-gvc'), survey.seen('cascade')];
    if (asked === undefined || along === undefined || survey.body('again') === undefined) return refusedBefore;
    if (!isSuccess(asked)) return otherwise(statusText(asked));
    return isGone(along) ? holds : otherwise('its workload is still there');
  },
} as const satisfies Readonly<Record<string, Decide>>;

function isNamed(each: unknown, name: string): boolean {
  return isObject(each) && own(each, 'name') === name;
}
