import { type JsonObject, type JsonValue, own } from '../base/json/json.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { type Kind, kindNamed } from '../schema/record/kinds.ts';
import { fieldShape, type ListShape, type ObjectShape, type Shape } from '../schema/shape/shape.ts';
import { type Place, placeOf } from './place.ts';
import { pathsBelow } from './translate.ts';
import {
  asWritten,
  classOf,
  hasNeutralWord,
  inTurn,
  replacing,
  type Spelling,
  spelled,
  type Vocabulary,
} from './words.ts';

/** Names that determine the meaning of their neighbours: no dialect may spell them differently. */
export const structural: ReadonlySet<string> = new Set([
  ...['kind', 'itemKind', 'items', 'links', 'href', 'query', 'spec', 'status', 'name', 'description', 'tags', 'data'],
  ...['type', 'typed_config', '@type', 'type_url', 'targetKind', 'property', 'terms', 'tag', 'value', 'sort', 'by'],
  ...['message', 'code', 'details', 'problems', 'path', 'id', 'version', 'lifecycle', 'gvc'],
]);

/** How a dialect spells a declared field. */
export function spelledField(name: string, names: ReadonlyMap<string, string>, keys: Spelling): string {
  const stated = classOf(name) === 'keys' ? names.get(name) : undefined;
  return stated ?? (hasNeutralWord(name) ? keys.toWire(name) : name);
}

/** Objects with user-chosen keys, anywhere in settings of the proxy. */
const userKeyed: ReadonlySet<string> = new Set([
  ...['metadata', 'headers', 'labels', 'annotations', 'customTags', 'claims', 'data'],
]);

/** The root places of documents. */
export type Places = ReturnType<typeof placesOf>;

export function placesOf(vocabulary: Vocabulary, names: ReadonlyMap<string, string>) {
  const { keys, references } = vocabulary;
  const text = references;
  const untouched = placeOf({});
  const reference = placeOf({ text });
  const named = {
    type: placeOf({ text: vocabulary.types }),
    environment: placeOf({ text: vocabulary.environment }),
    container: placeOf({ text: vocabulary.containers }),
    context: placeOf({ text: vocabulary.context }),
    tag: placeOf({ text: vocabulary.tags }),
    tags: placeOf({ keys: vocabulary.tags, child: () => untouched }),
    expression: placeOf({ text: vocabulary.expressions }),
    sealed: untouched,
  } as const;

  /** Settings passed to the proxy: its identifiers may be anywhere (platform/proxy.names). */
  const proxy: Place = placeOf({
    keys,
    text,
    child(key, beside) {
      if (key === '@type' || key === 'type_url') return named.type;
      if (key === 'name' && own(beside, 'typed_config') !== undefined) return named.type;
      return userKeyed.has(key) ? untouched : undefined;
    },
  });

  // ---- records, by their schemas ----

  const known = [new Map<Shape, Place>(), new Map<Shape, Place>()] as const;
  function shaped(shape: Shape, inProxy: boolean): Place {
    const places = known[inProxy ? 1 : 0];
    const place = places.get(shape) ?? make(shape, inProxy);
    places.set(shape, place);
    return place;
  }

  function make(shape: Shape, inProxy: boolean): Place {
    const { spelling, responseOnly, uri, link } = shape.facts;
    if (spelling === 'property') return propertyPlace(undefined);
    if (spelling !== undefined && spelling !== 'proxy' && spelling !== 'query') return named[spelling];
    switch (shape.type) {
      case 'scalar':
        return inProxy || uri !== undefined || link !== undefined ? reference : untouched;
      case 'free':
        return inProxy ? proxy : responseOnly === true ? answer : untouched;
      case 'map':
        return placeOf({ child: () => shaped(shape.value, inProxy) });
      case 'list':
        return placeOf({
          isList: true,
          item: () => shaped(shape.item, inProxy),
          itemNames: () => itemNames(shape, inProxy),
        });
      case 'object':
        if (inProxy || spelling === 'proxy') return ofObject(shape, true, proxy);
        return ofObject(shape, false, responseOnly === true ? answer : untouched);
    }
  }

  /** `others`: the place below fields unknown to any schema. */
  function ofObject(shape: ObjectShape, inProxy: boolean, others: Place): Place {
    const fields = spelled(
      [],
      new Map([...shape.fields.keys()].map((name) => [name, spelledField(name, names, keys)] as const)),
    );
    const isField = (key: string) => shape.fields.has(fields.toNeutral(key));
    return placeOf({
      keys: {
        toWire: (key) => (isField(key) ? fields : others.keys).toWire(key),
        toNeutral: (key) => (isField(key) ? fields : others.keys).toNeutral(key),
      },
      text: others.text,
      declares: (name) => shape.fields.has(name),
      child(key, beside) {
        const field = fieldShape(shape, key);
        if (field === undefined) return others.child(key, beside);
        if (field.facts.spelling === 'query') return query(kindNamed(own(beside, 'targetKind')));
        return inProxy && field.type === 'free' && userKeyed.has(key) ? untouched : shaped(field, inProxy);
      },
    });
  }

  /** An item is named by its only key field, or is a plain value. */
  function itemNames(shape: ListShape, inProxy: boolean): Spelling {
    const item = shaped(shape.item, inProxy);
    const { list } = shape.facts;
    if (list?.class !== 'keyed') return item.text;
    const [part, second] = list.key.parts;
    const [field, other] = part?.fields ?? [];
    return field === undefined || other !== undefined || second !== undefined ? asWritten : item.child(field, {}).text;
  }

  const records = new Map<Shape, Place>();
  /** The status beside the spec belongs to the platform. */
  function record(kind: Kind): Place {
    const shape = shapeOf(kind);
    const place = records.get(shape) ?? ofObject(shape, false, answer);
    records.set(shape, place);
    return place;
  }

  // ---- queries (platform/query) ----

  /**
   * In a query the selecting field is a name; the value to compare with stays, except for the name of an audit context.
   */
  function query(kind: Kind | undefined): Place {
    const term = placeOf({
      child(key, beside) {
        if (key === 'tag') return named.tag;
        if (key === 'property') return propertyPlace(kind);
        const isContext = kind === 'auditctx' && /^(?:name|description)$/.test(String(own(beside, 'property')));
        return key === 'value' && isContext ? named.context : reference;
      },
    });
    const sort = placeOf({ child: (key) => (key === 'by' ? propertyPlace(kind) : untouched) });
    const spec = placeOf({ child: (key) => (key === 'terms' ? term : key === 'sort' ? sort : untouched) });
    return placeOf({
      child(key, beside) {
        const said = kindNamed(own(beside, 'kind'));
        if (key === 'spec' && kind === undefined && said !== undefined) return query(said).child(key, beside);
        return key === 'spec' ? spec : untouched;
      },
    });
  }

  /** For example `name`, `spec.sidecar.proxy.http`, `tags.scheme/protected`. */
  function propertyPlace(kind: Kind | undefined): Place {
    const tags = replacing(/(?<=^tags\.).*/s, vocabulary.tags);
    const fields =
      kind === undefined
        ? replacing(/^(?!tags\.).*/s, replacing(/[^.]+/g, keys))
        : replacing(/^(?!tags\.).*/s, pathsBelow(record(kind)));
    return placeOf({ text: inTurn(tags, fields) });
  }

  // ---- what the platform says where no schema describes it ----

  const variable = placeOf({ text, child: (key) => (key === 'name' ? named.environment : reference) });
  const variables = placeOf({ text, item: () => variable, itemNames: () => vocabulary.environment });

  /** Members that mean the same anywhere. */
  function said(below: (key: string, beside: JsonObject) => Place | undefined): Place {
    return placeOf({
      text,
      child(key, beside) {
        const place = below(key, beside);
        if (place !== undefined) return place;
        switch (key) {
          case 'tags':
          case 'snapshotTags': // a list of pairs; snapshots show them as `tags`
            return named.tags;
          case 'items':
            return itemsOf(own(beside, 'itemKind'));
          case 'query':
            return query(kindNamed(own(beside, 'itemKind')));
          case 'env':
            return variables;
          case 'containers':
          case 'containerOverrides':
            return containers;
          case 'proxy':
            return proxy;
          case '@type':
            return named.type;
          case 'apiVersion': // of a custom resource: `scheme/v1`
            return named.tag;
          case 'host':
            return placeOf({ text: vocabulary.hosts });
          default:
            return userKeyed.has(key) ? untouched : answer;
        }
      },
    });
  }

  function itemsOf(itemKind: JsonValue | undefined): Place {
    const kind = kindNamed(itemKind);
    const item = kind === undefined ? (itemKind === 'auditevent' ? auditEvent : ofKindsSaid) : record(kind);
    return placeOf({ item: () => item });
  }

  const answer: Place = said(() => undefined);
  const container = said((key) => (key === 'name' ? named.container : undefined));
  /** A list of containers, or a map by name. */
  const containers = placeOf({ keys: vocabulary.containers, item: () => container, child: () => answer });
  /** Documents that state their own kinds: several custom resources (platform/wire.discovery). */
  const ofKindsSaid = placeOf({
    text,
    child(key, beside) {
      const kind = kindNamed(own(beside, 'kind'));
      return (kind === undefined ? answer : record(kind)).child(key, beside);
    },
  });
  const auditContext = said((key) => (key === 'name' ? named.context : undefined));
  const auditResource = said((key, beside) => {
    const kind = kindNamed(own(beside, 'type'));
    if (key === 'name' && kind === 'auditctx') return named.context;
    return key === 'data' && kind !== undefined ? record(kind) : undefined;
  });
  const auditEvent = said((key) => (key === 'context' ? auditContext : key === 'resource' ? auditResource : undefined));

  return { record, query, answer, auditEvent };
}
