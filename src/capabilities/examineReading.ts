import { isArray, isObject, type JsonObject, objectAt, own, stringAt } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { isSecret, runs } from '../kinds/kindFacts.ts';
import { hrefOf } from '../schema/record/hrefOf.ts';
import { declarableKinds, isGvcScoped, type Kind } from '../schema/record/kinds.ts';
import {
  cannotTell,
  type Decide,
  holds,
  isSuccess,
  listOf,
  otherwise,
  type Question,
  recordOf,
  type Seen,
  type Survey,
  statusText,
  unasked,
  type Verdict,
} from './survey.ts';

/** The questions by round: later rounds depend on earlier responses. `unused`: a name that no record has. */
export const readingRounds: readonly ((survey: Survey, unused: string) => ReadonlyMap<string, Question>)[] = [
  basicQuestions,
  listQuestions,
  recordQuestions,
];

const get = (path: string): Question => ({ method: 'GET', path });

function orgPath({ org }: Survey): string {
  return `/org/${encodeURIComponent(org)}`;
}

function basicQuestions(survey: Survey, unused: string): ReadonlyMap<string, Question> {
  const base = orgPath(survey);
  const ours = { op: '=', tag: 'gantry/stack', value: unused };
  const targets = [
    { property: 'target', op: '=', value: 'all' },
    { property: 'targetQuery', op: 'exists' },
  ];
  return new Map([
    ['org', get(base)],
    ['discovery', get('/discovery')],
    ['user', get('/user')],
    ['plain', get(`${base}/gvc`)],
    ['page', get(`${base}/location?limit=1`)],
    ['absent', get(`${base}/gvc/${unused}`)],
    ['unknown-kind', get(`${base}/${unused}`)],
    ['query', queryOf(base, 'gvc', [ours])],
    ['query-of-org', queryOf(base, 'workload', [ours])],
    ['policies', queryOf(base, 'policy', targets)],
    ['audit', get(`/audit${base}?fromEvent=1970-01-01T00:00:00.000Z&limit=2`)],
  ]);
}

function listQuestions(survey: Survey): ReadonlyMap<string, Question> {
  const limit = readingDecisions['read.limit'](survey).finding === 'otherwise' ? '' : '?limit=2';
  return new Map(declarableKinds().map((kind) => [listOf(kind), get(`${orgPath(survey)}/${kind}${limit}`)]));
}

function recordQuestions(survey: Survey): ReadonlyMap<string, Question> {
  const base = orgPath(survey);
  const questions = new Map<string, Question>();
  for (const [kind, item] of samples(survey)) {
    const path = pathOf(base, kind, item);
    if (path === undefined) continue;
    questions.set(recordOf(kind), get(path));
    if (isSecret(kind)) questions.set('reveal', get(`${path}/-reveal`));
    if (runs(kind)) questions.set('deployments', get(`${path}/deployment`));
  }
  const gvc = survey.first('gvc');
  const name = gvc === undefined ? undefined : stringAt(gvc, 'name');
  if (gvc === undefined || name === undefined) return questions;
  questions.set('list-of-gvc', get(`${base}/gvc/${encodeURIComponent(name)}/workload`));
  questions.set('query-name', queryOf(base, 'gvc', [{ op: '=', property: 'name', value: name }]));
  const [tag] = Object.entries(objectAt(gvc, 'tags')).filter(([, value]) => typeof value === 'string');
  if (tag !== undefined) questions.set('query-tag', queryOf(base, 'gvc', [{ op: '=', tag: tag[0], value: tag[1] }]));
  return questions;
}

function queryOf(base: string, kind: string, terms: readonly JsonObject[]): Question {
  return {
    method: 'POST',
    path: `${base}/${kind}/-query?limit=1000`,
    body: { kind, fetch: 'items', spec: { match: 'any', terms } },
  };
}

/** Undefined if unknown. */
function pathOf(base: string, kind: Kind, item: JsonObject): string | undefined {
  const name = encodeURIComponent(stringAt(item, 'name') ?? '');
  if (!isGvcScoped(kind)) return `${base}/${kind}/${name}`;
  const gvc = gvcNameOf(item);
  return gvc === undefined ? undefined : `${base}/gvc/${gvc}/${kind}/${name}`;
}

function gvcNameOf(item: JsonObject): string | undefined {
  return /\/gvc\/([^/]+)/.exec(hrefOf(item, 'gvc') ?? hrefOf(item, 'self') ?? '')?.[1];
}

/** The first record of each kind's list. */
function samples(survey: Survey): readonly (readonly [Kind, JsonObject])[] {
  return compact(declarableKinds(), (kind) => {
    const item = survey.first(kind);
    return item === undefined ? undefined : ([kind, item] as const);
  });
}

const noRecord = unasked('there is no record to ask it with');

/** The verdict on all sample records: `lacks` returns what one of them lacks. */
function everySample(survey: Survey, lacks: (kind: Kind, item: JsonObject) => string | undefined): Verdict {
  const found = samples(survey);
  if (found.length === 0) return noRecord;
  const missing = compact(found, ([kind, item]) => {
    const what = lacks(kind, item);
    return what === undefined ? undefined : `${kind}: ${what}`;
  });
  return missing.length === 0 ? holds : otherwise(missing.join('; '));
}

/** The same for the records themselves. An item that does not show its record's place is skipped. */
function everyRecord(survey: Survey, lacks: (record: JsonObject) => string | undefined): Verdict {
  return everySample(survey, (kind, item) => {
    const isUnread = isGvcScoped(kind) && gvcNameOf(item) === undefined && survey.record(kind) === undefined;
    return isUnread ? undefined : lacks(bodyOf(survey.record(kind)) ?? item);
  });
}

function served(survey: Survey): Verdict {
  const missing = compact(declarableKinds(), (kind) => {
    const seen = survey.seen(listOf(kind));
    const isRefused = seen === undefined || cannotTell(seen) !== undefined;
    return isRefused || survey.items(listOf(kind)) !== undefined ? undefined : `${kind} ${statusText(seen)}`;
  });
  return missing.length === 0 ? holds : otherwise(missing.join(', '));
}

function said(key: string, value: string): Decide {
  return (survey) =>
    own(survey.body('discovery') ?? {}, key) === value ? holds : unasked('the endpoint does not say so itself');
}

/** Decides on a query that must find one record, together with `query`, which must find none. */
function finds(question: string, isIt: (item: JsonObject, survey: Survey) => boolean): Decide {
  return (survey) => {
    if (survey.seen(question) === undefined) return noRecord;
    return survey.about(question, (seen) => {
      const items = survey.items(question);
      if (items === undefined) return otherwise(statusText(seen));
      if ((survey.items('query') ?? []).length > 0) return otherwise('it returns records that do not match');
      return items.some((item) => isIt(item, survey)) ? holds : otherwise('it does not return what matches');
    });
  };
}

const isFirstGvc = (item: JsonObject, survey: Survey): boolean =>
  own(item, 'name') === own(survey.first('gvc') ?? {}, 'name');

function isEvent(event: JsonObject): boolean {
  const data = objectAt(objectAt(event, 'resource'), 'data');
  const action = stringAt(objectAt(event, 'action'), 'type');
  const status = stringAt(objectAt(event, 'result'), 'status');
  return action !== undefined && status !== undefined && typeof own(data, 'version') === 'number';
}

/** Envelope fields that the record has but its list item lacks. */
function leftOut(item: JsonObject, record: JsonObject): readonly string[] {
  return ['id', 'kind', 'version', 'tags', 'spec', 'links'].filter(
    (key) => own(item, key) === undefined && own(record, key) !== undefined,
  );
}

const bodyOf = (seen: Seen | undefined): JsonObject | undefined =>
  seen !== undefined && isSuccess(seen) && isObject(seen.body) ? seen.body : undefined;

export const readingDecisions = {
  'read.discovery': (survey) => survey.succeeds('discovery'),
  'read.kinds': served,
  'read.list': (survey) => survey.succeeds('plain', (body) => isArray(own(body, 'items'))),
  'read.list-of-org': (survey) => survey.succeeds(listOf('workload'), (body) => isArray(own(body, 'items'))),
  'read.list-of-gvc': (survey) => survey.succeeds('list-of-gvc', (body) => isArray(own(body, 'items'))),
  'read.limit': (survey) => {
    const plain = survey.seen('plain');
    return survey.about('page', (seen) => {
      if (isSuccess(seen)) return holds;
      return plain !== undefined && isSuccess(plain) ? otherwise(statusText(seen)) : unasked('lists are not served');
    });
  },
  'read.pages': (survey) => {
    const [page, more] = [survey.items('page'), survey.items(listOf('location'))];
    if (page === undefined || more === undefined) return unasked('lists are not served');
    if (more.length < 2 || page.length >= more.length) return unasked('no list has more than one page');
    return hrefOf(survey.body('page') ?? {}, 'next') === undefined ? otherwise() : holds;
  },
  'read.next-path': (survey) => {
    const next = hrefOf(survey.body('page') ?? {}, 'next');
    if (next === undefined) return unasked('no list has more than one page');
    return /^\/(?!\/)/.test(next) ? holds : otherwise(URL.canParse(next) ? 'an address' : 'a relative path');
  },
  'read.items': (survey) =>
    everySample(survey, (kind, item) => {
      const record = bodyOf(survey.record(kind));
      const lacking = record === undefined ? [] : leftOut(item, record);
      return lacking.length === 0 ? undefined : lacking.join(', ');
    }),
  'read.query': (survey) => survey.succeeds('query', (body) => isArray(own(body, 'items'))),
  'read.query-tag': finds('query-tag', isFirstGvc),
  'read.query-name': finds('query-name', isFirstGvc),
  'read.record': (survey) => {
    const asked = declarableKinds().flatMap((kind) => {
      const seen = survey.record(kind);
      return seen === undefined || seen.status === 404 || cannotTell(seen) !== undefined ? [] : [[kind, seen] as const];
    });
    const failed = asked.filter(([, seen]) => !isSuccess(seen) || !isObject(seen.body));
    if (asked.length === 0) return noRecord;
    return failed.length === 0
      ? holds
      : otherwise(failed.map(([kind, seen]) => `${kind} ${statusText(seen)}`).join(', '));
  },
  'read.envelope': (survey) =>
    everyRecord(survey, (record) => {
      const lacking = ['id', 'name', 'kind'].filter((key) => stringAt(record, key) === undefined);
      return lacking.length === 0 ? undefined : lacking.join(', ');
    }),
  'read.absent': (survey) =>
    survey.about('absent', (seen) => (seen.status === 404 ? holds : otherwise(statusText(seen)))),
  'read.unknown-kind': (survey) =>
    survey.about('unknown-kind', (seen) => (seen.status === 404 ? holds : otherwise(statusText(seen)))),
  'read.deployments': (survey) => survey.succeeds('deployments', (body) => isArray(own(body, 'items'))),
  'version.integer': (survey) =>
    everyRecord(survey, (record) => {
      const version = own(record, 'version');
      const isDigits = typeof version === 'string' && /^\d{1,15}$/.test(version);
      if (isDigits || (Number.isSafeInteger(version) && Number(version) >= 0)) return undefined;
      return version === undefined ? 'none' : `a ${typeof version}`;
    }),
  'version.as-number': (survey) =>
    everyRecord(survey, (record) => (typeof own(record, 'version') === 'string' ? 'a text' : undefined)),
  'link.self': (survey) =>
    everySample(survey, (_, item) => {
      const self = hrefOf(item, 'self');
      if (self === undefined) return 'none';
      if (/^\/org\//.test(self)) return undefined;
      return URL.canParse(self) ? 'an address' : 'a short form';
    }),
  'link.gvc': (survey) => {
    const inGvcs = samples(survey).filter(([kind]) => isGvcScoped(kind));
    if (inGvcs.length === 0) return noRecord;
    const without = inGvcs.filter(([, item]) => gvcNameOf(item) === undefined);
    return without.length === 0 ? holds : otherwise(without.map(([kind]) => kind).join(', '));
  },
  'access.bearer': (survey) =>
    [...survey.all().values()].every(({ status }) => status === 401) ? otherwise('401') : holds,
  'access.user': (survey) => survey.succeeds('user', (body) => stringAt(body, 'kind') !== undefined),
  'access.policies': (survey) => survey.succeeds('policies', (body) => isArray(own(body, 'items'))),
  'audit.trail': (survey) => survey.succeeds('audit', (body) => isArray(own(body, 'items'))),
  'audit.events': (survey) => {
    const events = survey.items('audit');
    if (events === undefined) return unasked('the audit trail is not served, or not to this token');
    if (events.length === 0) return unasked('the audit trail has no event');
    return events.some(isEvent) ? holds : otherwise();
  },
  'secret.reveal': (survey) =>
    survey.seen('reveal') === undefined ? unasked('there is no secret') : survey.succeeds('reveal'),
  'secret.hidden': (survey) => {
    const shown = compact([survey.first('secret'), survey.body(recordOf('secret'))]);
    if (shown.length === 0) return unasked('there is no secret');
    return shown.every((each) => own(each, 'data') === undefined) ? holds : otherwise();
  },
  'write.all-directives': said('directives', 'all'),
  'write.dry-run': said('dryRun', 'honoured'),
  'read.status': said('status', 'with-readiness'),
  'write.preconditions': said('preconditions', 'honoured'),
} as const satisfies Readonly<Record<string, Decide>>;
