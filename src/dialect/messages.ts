import { inTurn, type Renaming, swapped, type Way } from './words/renaming.ts';
import type { Vocabulary } from './words/vocabulary.ts';

/** Names that messages of the platform quote, and that nobody can take for a word of prose. */
const quotable = {
  tags: [
    ...['protected', 'deployTimestamp', 'relaxMemoryToCpuRatio', 'relaxGracePeriodMax', 'timeoutSecondsOverride'],
    ...['sessionCookie', 'sessionDuration', 'routeLimitOverride', 'skipDNSCheck', 'wildcard'],
    ...['clientCertificateValidation', 'release', 'run'],
  ],
  types: [
    'proxy.http_grpc_access_log',
    ...['ext_authz', 'ratelimit', 'jwt_authn', 'cors', 'grpc_web', 'grpc_json_transcoder', 'connect_grpc_bridge'].map(
      (filter) => `proxy.filters.http.${filter}`,
    ),
  ],
} as const;

/**
 * Text for people. It is prose, so that a word alone stays; what cannot be anything but a name is translated: URIs,
 * the reserved tags and prefixes, names of filters.
 */
export function messagesOf(vocabulary: Vocabulary): Renaming {
  const { tags, types, headers, environment, containers, hosts, texts, context } = vocabulary;
  const pairs: (readonly [string, string])[] = [
    ['scheme://', texts.toWire('scheme://')],
    ['x-scheme-', headers.toWire('x-scheme-')],
    ['SCHEME_', environment.toWire('SCHEME_')],
    ['scheme-*', containers.toWire('scheme-*')],
    ['_scheme.', hosts.toWire('_scheme.')],
    ['_scheme-', hosts.toWire('_scheme-')],
    ...quotable.tags.map((tag) => [`scheme/${tag}`, tags.toWire(`scheme/${tag}`)] as const),
    ...quotable.types.map((type) => [type, types.toWire(type)] as const),
  ];
  // What is quoted is in the neutral spelling: there the installation's own stands for the other.
  const literally = replacing([...pairs, ...pairs.map(([neutral, other]) => [other, neutral] as const)]);
  const linkedContexts: Renaming = {
    toWire: (text) => text.replace(contextLink, (_, before: string, name: string) => before + context.toWire(name)),
    toNeutral: (text) =>
      text.replace(contextLink, (_, before: string, name: string) => before + context.toNeutral(name)),
  };
  return inTurn(swapped(literally), linkedContexts);
}

const contextLink = /(\/auditctx\/)([a-z][-a-z0-9]*)/g;

/** The longest first, and none in the middle of a word. */
function replacing(pairs: readonly (readonly [string, string])[]): (text: string) => string {
  const images = new Map(pairs.filter(([from, to]) => from !== to));
  if (images.size === 0) return (text) => text;
  const longestFirst = [...images.keys()].toSorted((a, b) => b.length - a.length).map(escaped);
  const grammar = new RegExp(`(?<![\\w./-])(?:${longestFirst.join('|')})`, 'g');
  return (text) => text.replace(grammar, (found) => images.get(found) ?? found);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * What is wrong, at a place: the path before the colon, the field in quotation marks, and the names of `messagesOf`.
 * `paths` are those below the record that the request was about; `at`: the path, where it stands beside the message.
 */
export function problemText(
  message: string,
  at: string | undefined,
  paths: Renaming,
  names: Renaming,
  way: Way,
): string {
  const [head = '', before] = /^(\S+): /.exec(message) ?? [];
  const rest = names[way](message.slice(head.length));
  const start = before === undefined ? '' : `${paths[way](before)}: `;
  const path = at ?? before;
  const field = path?.split('.').at(-1);
  if (path === undefined || field === undefined) return start + rest;
  const other = paths[way](path).split('.').at(-1) ?? field;
  return start + (other === field ? rest : rest.replaceAll(JSON.stringify(field), JSON.stringify(other)));
}
