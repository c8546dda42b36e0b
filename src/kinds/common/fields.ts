import { patterns } from '../../base/text/patterns.ts';
import {
  constant,
  derived,
  fields,
  flag,
  integer,
  keyed,
  map,
  oneOf,
  optional,
  proposedKey,
  responseOnly,
  scalar,
  sequence,
  statedKey,
  stored,
  tagValue,
  text,
} from '../../schema/facts/define.ts';
import type { FieldFacts, ListKey } from '../../schema/facts/fieldFacts.ts';
import { queryMatches, queryOperators, queryOrders } from '../../schema/facts/queryWords.ts';
import { mounts, onlyMetadata, recycles } from '../../schema/facts/riskFacts.ts';
import { commonAnswers } from './answers.ts';

/** The fields of every record (platform/concepts.record), spread into each kind's definition. */
export const envelope = {
  name: text({ immutable: true }, { minLength: 1 }),
  description: optional(text({ ...derived('name'), ...onlyMetadata, canonical: 'trimmed' }, { maxLength: 250 })),
  tags: optional(map(tagValue(), { ...stored({}), ...onlyMetadata, spelling: 'tags' })),
  id: responseOnly(commonAnswers.lastingText),
  kind: responseOnly(),
  version: responseOnly(commonAnswers.number),
  created: responseOnly(commonAnswers.lastingText),
  lastModified: responseOnly(commonAnswers.text),
  links: responseOnly(),
  status: responseOnly(),
};

/** The members that some kinds add to the envelope; always set by the platform. */
export const origin = { origin: responseOnly(commonAnswers.lastingText) };

/** A manifest of a GVC-scoped record may name its GVC; it is context, not content (platform/concepts.kinds). */
export const inGvc = { gvc: responseOnly() };

const environmentName = patterns.environmentName.pattern;

/** Environment variables, of a GVC or a container (platform/concepts.quantities, platform/workload.containers). */
export function environment() {
  const variable = fields({
    name: text({ spelling: 'environment' }, { pattern: environmentName, maxLength: 120 }),
    value: optional(text({ emptyIsAbsent: true, uri: ['secret'], uriStrength: 'soft' }, { maxLength: 4096 })),
  });
  return keyed(variable, statedKey('name'));
}

function volume(uris: readonly ('secret' | 'volumeset')[]) {
  return {
    uri: text({ ...mounts, uri: uris, uriStrength: 'hard' }, { pattern: patterns.volumeUri.pattern }),
    path: text(mounts),
    recoveryPolicy: optional(oneOf(['retain', 'recycle'], { ...constant('retain'), ...recycles })),
  };
}

/** File systems of a proxy (platform/proxy.members). `uris`: the allowed targets of `uri`. */
export function volumes(uris: readonly ('secret' | 'volumeset')[]) {
  return keyed(fields(volume(uris)), proposedKey('path'), {}, { maxItems: 15 });
}

/**
 * File systems of a container (platform/workload.containers); those of a vm are disks, which need no path
 * (`workload/typeRules.ts`).
 */
export function containerVolumes() {
  const { path, ...others } = volume(['secret', 'volumeset']);
  const disk = { name: optional(text()), bus: optional(text()), bootOrder: optional(integer()) };
  const key: ListKey = { parts: [{ fields: ['path', 'name'] }], evidence: 'proposed' };
  return keyed(fields({ ...others, path: optional(path), ...disk }), key, {}, { maxItems: 15 });
}

/** A stored query over the records of one kind (platform/gvc, platform/query.terms). */
export function query(facts: FieldFacts = {}) {
  return fields(
    {
      kind: optional(text({ fill: 'service' })),
      context: responseOnly(),
      fetch: optional(oneOf(['items', 'links'], stored('items'))),
      spec: optional(
        fields({
          match: optional(oneOf(queryMatches, stored('all'))),
          terms: optional(
            sequence(
              fields({
                op: optional(oneOf(queryOperators, stored('='))),
                property: optional(text({ spelling: 'property' })),
                rel: optional(text()),
                tag: optional(text({ spelling: 'tag' })),
                value: optional(scalar()),
              }),
            ),
          ),
          sort: optional(
            fields({ by: text({ spelling: 'property' }), order: optional(oneOf(queryOrders, stored('asc'))) }),
          ),
        }),
      ),
    },
    { ...facts, presence: true, spelling: 'query' },
  );
}

/** An `{enabled}` object, such as `multiZone`. */
export function toggle(facts: FieldFacts = {}) {
  return fields({ enabled: optional(flag(constant(false))) }, facts);
}

/** A port number, 1 to 65535; the reserved ones are rule W5. */
export function portNumber(facts = {}) {
  return integer(facts, { minimum: 1, maximum: 65_535 });
}
