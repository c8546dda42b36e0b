import type { JsonObject } from '../../../base/json/json.ts';
import { wordsOf } from '../../../kinds/kindWords.ts';
import { type Kind, type KnownKind, knownKinds } from '../../../schema/record/kinds.ts';
import type { Described } from './described.ts';

interface Tag {
  readonly name: string;
  readonly description: string;
}

const audit: Tag = { name: 'Audit trail', description: 'Who did what, and when.' };

const service: Tag = {
  name: 'Server',
  description: 'The server itself: its name, its addresses, its health, and this description.',
};

const simulation: Tag = {
  name: 'Simulation',
  description:
    'Only on a local platform started with `gantry serve --dev`: set the clock, faults, and what happens ' +
    'outside of the platform.',
};

/** The kinds that most readers look for. */
const first: readonly KnownKind[] = [
  ...(['gvc', 'workload', 'deployment', 'volumeset', 'secret', 'identity', 'domain', 'ipset'] as const),
  ...(['image', 'cloudaccount', 'agent', 'location', 'quota'] as const),
];
const people: readonly KnownKind[] = ['org', 'user', 'group', 'serviceaccount', 'policy', 'task'];
/** Its events are listed with the audit trail. */
const ofAudit: KnownKind = 'auditctx';
const placed: readonly KnownKind[] = [...first, ...people, ofAudit];

const tags: readonly Tag[] = [
  ...[...first, ...knownKinds.filter((kind) => !placed.includes(kind)), ...people].map(tagOfKind),
  audit,
  tagOfKind(ofAudit),
  service,
  simulation,
];

function tagOfKind(kind: Kind): Tag {
  const { plural, about } = wordsOf(kind);
  return { name: plural.charAt(0).toUpperCase() + plural.slice(1), description: about };
}

/** The group of operations that shows it. */
export function tagOf({ kind, devOnly, path, id }: Described): string {
  if (devOnly === true || path.endsWith('/-simulate')) return simulation.name;
  if (id.startsWith('audit.')) return audit.name;
  if (id.endsWith('.permissions')) return tagOfKind('policy').name;
  return kind === undefined ? service.name : tagOfKind(kind).name;
}

export function usedTags(routes: readonly Described[]): readonly JsonObject[] {
  const used = new Set(routes.map(tagOf));
  return tags.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}

const later: readonly RegExp[] = [/InOrg$/, /\.events?$/, /\.accessReport$/, /\.permissions$/, /\.export/];

/** Sorts the routes of a tag: records first, then items that belong to them, then reports and exports. */
export function inReadingOrder(routes: readonly Described[]): readonly Described[] {
  const place = ({ id }: Described) => later.findIndex((pattern) => pattern.test(id));
  return routes.toSorted((a, b) => place(a) - place(b));
}
