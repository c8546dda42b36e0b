import { publishedKinds } from '#published-kinds';
import type { JsonObject } from '../base/json/json.ts';
import type { CreatableKind } from '../schema/record/kinds.ts';
import { clusterTypes, matchTypes, proxyTypes } from './common/proxyWords.ts';
import { type Published, type TypeTable, typed } from './common/words.ts';
import { sheets } from './list.ts';

const byKind: ReadonlyMap<unknown, Published> = new Map(Object.entries(publishedKinds));

/** Variables, tracing, and stored queries: several kinds have them. */
const sharedTypes: TypeTable = {
  EnvVariable: {
    about: 'An environment variable of a container or a GVC.',
    section: 'workload.env',
    fields: {
      name: 'Name: letters, digits, `.`, `_` and `-`, no digit first, not a name that the platform reserves.',
      value: 'Value, as text. `scheme://secret/NAME` or `scheme://secret/NAME.KEY` is replaced by the secret value.',
    },
  },
  Tracing: {
    about: 'Traces of requests. It has a sampling rate and exactly one provider.',
    section: 'gvc.tracing',
    fields: {
      sampling: 'Percentage of requests that are traced.',
      customTags: typed('CustomTag', 'Tags of every trace, by name.'),
      provider: typed('TracingProvider', 'Where traces are sent.'),
      tracer: typed('TracerProvider', 'the tracing service. Use `provider.tracer`.', { deprecated: true }),
    },
  },
  CustomTag: {
    about: 'A tag of every trace.',
    section: 'gvc.tracing',
    fields: { literal: typed('CustomTagLiteral', 'Fixed value of the tag.') },
  },
  CustomTagLiteral: {
    about: 'A fixed value of a tag.',
    section: 'gvc.tracing',
    fields: { value: 'The value, as text.' },
  },
  TracingProvider: {
    about: 'Where traces are sent: exactly one of its members.',
    section: 'gvc.tracing',
    fields: {
      otel: typed('OtelProvider', 'A collector for OpenTelemetry.'),
      tracer: typed('TracerProvider', 'The tracing service of a vendor.'),
      controlplane: typed('ControlPlaneProvider', 'The platform itself.'),
    },
  },
  OtelProvider: {
    about: 'A collector for OpenTelemetry.',
    section: 'gvc.tracing',
    fields: { endpoint: 'Address of the collector, `host:port`.' },
  },
  TracerProvider: {
    about: 'The tracing service of a vendor.',
    section: 'gvc.tracing',
    fields: {
      endpoint: 'Address of the service, `host:port`.',
      credentials: 'Secret of the type `opaque` with the token for the service.',
    },
  },
  ControlPlaneProvider: { about: 'The platform itself receives the traces.', section: 'gvc.tracing', fields: {} },
  Query: {
    about: 'A stored query for records of one kind.',
    section: 'query.terms',
    fields: {
      kind: 'Kind of the records to find. Follows from the field, when omitted.',
      context: 'Data of the client that made the query; ignored.',
      fetch: 'Whether the answer holds the records or links to them.',
      spec: typed('QuerySpec', 'Which records to find, and in which order.'),
    },
  },
  QuerySpec: {
    about: 'Which records a query finds, and in which order.',
    section: 'query.terms',
    fields: {
      match: 'Whether all terms, any, or none have to match.',
      terms: typed('QueryTerm', 'Comparisons.'),
      sort: typed('QuerySort', 'Order of the answer.'),
    },
  },
  QueryTerm: {
    about: 'A comparison, about exactly one of `property`, `tag` and `rel`.',
    section: 'query.terms',
    fields: {
      op: 'How to compare. `exists` and `!exists` take no value.',
      property: 'Dotted path of a property, such as `spec.type`.',
      rel: 'Name of a link of the record.',
      tag: 'Key of a tag.',
      value: 'Value to compare with.',
    },
  },
  QuerySort: {
    about: 'Order of the records that a query finds.',
    section: 'query.terms',
    fields: { by: 'Dotted path of the property to sort by.', order: 'Ascending or descending.' },
  },
};

/** Every named type of the schema, by name. */
export const allTypes: TypeTable = Object.assign(
  {},
  ...[...byKind.values()].map(({ types }) => types),
  ...[sharedTypes, proxyTypes, clusterTypes, matchTypes],
);

/** The doc comment of the kind's construct. */
export function constructWords(kind: CreatableKind): string {
  return byKind.get(kind)?.construct ?? allTypes[sheets[kind].typeName]?.about ?? '';
}

/** An example record of the kind, for the description of the API; undefined if clients write none. */
export function exampleOf(kind: unknown): JsonObject | undefined {
  return byKind.get(kind)?.example;
}
