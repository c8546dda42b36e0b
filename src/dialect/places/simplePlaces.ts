import { type Renaming, unchanged, type Way } from '../words/renaming.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { type Place, placeOf } from './place.ts';

/** Objects whose keys are chosen by users, wherever they stand. */
export const userKeyed: ReadonlySet<string> = new Set([
  'metadata',
  'headers',
  'labels',
  'annotations',
  'customTags',
  'claims',
  'data',
]);

/** Places that need no schema. */
export interface SimplePlaces {
  /** Nothing here is a name: the data of a secret. */
  readonly sealed: Place;
  /** Users' own JSON: keys stay, a URI is a URI. */
  readonly free: Place;
  readonly tagMap: Place;
  /** Settings that are handed to the proxy: identifiers of it may stand anywhere (platform/proxy.names). */
  readonly proxy: Place;
  /** Texts that are names of a class. */
  readonly name: Readonly<
    Record<'type' | 'environment' | 'container' | 'tag' | 'property' | 'context' | 'host' | 'expression', Place>
  >;
}

/** `answerKeys`: how fields are called where no schema says which there are. */
export function simplePlaces(vocabulary: Vocabulary, answerKeys: Renaming): SimplePlaces {
  const { keys, types, tags, environment, containers, context, hosts, texts } = vocabulary;
  const free = placeOf({ text: texts });
  const name = {
    type: placeOf({ text: types }),
    environment: placeOf({ text: environment }),
    container: placeOf({ text: containers }),
    tag: placeOf({ text: tags }),
    property: placeOf({ text: propertyPaths(answerKeys, tags) }),
    context: placeOf({ text: context }),
    host: placeOf({ text: hosts }),
    expression: placeOf({ text: quotedTags(tags) }),
  };
  const proxy: Place = placeOf({
    keys,
    text: texts,
    child(key, member) {
      if (key === '@type' || key === 'type_url') return name.type;
      if (key === 'name' && member('typed_config') !== undefined) return name.type;
      return userKeyed.has(key) ? free : undefined;
    },
  });
  return {
    sealed: placeOf({ text: unchanged }),
    free,
    tagMap: placeOf({ keys: tags, text: texts, child: () => free }),
    proxy,
    name,
  };
}

/** In an expression over records, as that of an identity matcher: reserved tags in quotation marks of any sort. */
function quotedTags(tags: Renaming): Renaming {
  const grammar = /(["'`])([a-z][a-z0-9]*\/[\w./-]+)(?=\1)/g;
  return {
    toWire: (text) => text.replace(grammar, (_, mark: string, tag: string) => mark + tags.toWire(tag)),
    toNeutral: (text) => text.replace(grammar, (_, mark: string, tag: string) => mark + tags.toNeutral(tag)),
  };
}

/** What a query compares: `name`, `spec.sidecar.proxy.http`, `tags.scheme/protected` (platform/query). */
function propertyPaths(keys: Renaming, tags: Renaming): Renaming {
  const roots = { toWire: 'tags.', toNeutral: `${keys.toWire('tags')}.` };
  function rename(path: string, way: Way): string {
    const root = roots[way];
    if (path.startsWith(root)) return `${keys[way](root.slice(0, -1))}.${tags[way](path.slice(root.length))}`;
    return path.split('.').map(keys[way]).join('.');
  }
  return { toWire: (path) => rename(path, 'toWire'), toNeutral: (path) => rename(path, 'toNeutral') };
}
