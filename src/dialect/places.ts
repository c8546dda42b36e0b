import type { JsonValue } from '../schema/json.ts';
import { creatableKinds, type Kind, readOnlyKinds } from '../schema/kinds.ts';
import type { Shape } from '../schema/shape.ts';
import { shapeOf } from '../schema/shapes.ts';
import { answerKeys as keysOfAnswers, declaredKeys } from './declared.ts';
import { alone, type Member, type Place, placeOf } from './place.ts';
import { propertyPaths } from './propertyPaths.ts';
import { unchanged } from './renaming.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The places where a document begins. */
export interface Places {
  readonly record: (kind: Kind) => Place;
  /** The body of a query over a kind; undefined: over commands and the like. */
  readonly query: (kind: Kind | undefined) => Place;
  /** What the platform answers, where no schema describes it: lists, commands, reports, status. */
  readonly answer: Place;
  readonly auditEvent: Place;
}

const kinds: ReadonlyMap<string, Kind> = new Map([...creatableKinds, ...readOnlyKinds].map((kind) => [kind, kind]));

export function kindOf(value: JsonValue | undefined): Kind | undefined {
  return typeof value === 'string' ? kinds.get(value) : undefined;
}

/** Objects whose keys are chosen by users, wherever they stand. */
const userKeyed: ReadonlySet<string> = new Set([
  'metadata',
  'headers',
  'labels',
  'annotations',
  'customTags',
  'snapshotTags',
  'claims',
  'data',
]);

export function placesOf(vocabulary: Vocabulary): Places {
  const { keys, types, tags, environment, containers, context, hosts, texts } = vocabulary;
  const answerKeys = keysOfAnswers(vocabulary);

  /** Nothing here is a name: the data of a secret. */
  const sealed = placeOf({ text: unchanged });
  /** Users' own JSON: keys stay, a URI is a URI. */
  const free = placeOf({ text: texts });
  const tagMap = placeOf({ keys: tags, text: texts, child: () => free });
  const name = {
    type: placeOf({ text: types }),
    environment: placeOf({ text: environment }),
    container: placeOf({ text: containers }),
    tag: placeOf({ text: tags }),
    property: placeOf({ text: propertyPaths(answerKeys, tags) }),
    context: placeOf({ text: context }),
    host: placeOf({ text: hosts }),
  };

  /** Settings that are handed to the proxy: identifiers of it may stand anywhere (protocol 7.9). */
  const proxy: Place = placeOf({
    keys,
    text: texts,
    child(key, member) {
      if (key === '@type' || key === 'type_url') return name.type;
      if (key === 'name' && member('typed_config') !== undefined) return name.type;
      return userKeyed.has(key) ? free : undefined;
    },
  });

  const variables: Place = placeOf({
    keys: answerKeys,
    text: texts,
    itemNames: () => environment,
    child: (key) => (key === 'name' ? name.environment : free),
  });
  /** A list of containers, or a map of them by name. */
  const containersByName: Place = placeOf({
    keys: containers,
    text: texts,
    item: () => container,
    child: () => answer,
  });
  const container: Place = placeOf({
    keys: answerKeys,
    text: texts,
    child: (key, member) => (key === 'name' ? name.container : below(key, member)),
  });
  const answer: Place = placeOf({ keys: answerKeys, text: texts, child: below });

  function below(key: string, member: Member): Place {
    switch (key) {
      case 'tags':
        return tagMap;
      case 'items': {
        const kind = kindOf(member('itemKind'));
        if (kind !== undefined) return listOf(record(kind));
        return member('itemKind') === 'auditevent' ? listOf(auditEvent) : ofKindsSaid;
      }
      case 'query':
        return query(kindOf(member('itemKind')));
      case 'env':
        return listOf(variables);
      case 'containers':
      case 'containerOverrides':
        return containersByName;
      case 'proxy':
        return proxy;
      case '@type':
        return name.type;
      case 'apiVersion': // of a custom resource: `scheme/v1`
        return name.tag;
      case 'host':
        return name.host;
      default:
        return userKeyed.has(key) ? free : answer;
    }
  }

  /** Documents that say what kind they are: several custom resources (protocol 1.4). */
  const ofKindsSaid: Place = placeOf({
    keys: answerKeys,
    text: texts,
    child(key, member) {
      const kind = kindOf(member('kind'));
      return kind === undefined ? below(key, member) : record(kind).child(key, member);
    },
  });

  const auditContext: Place = placeOf({
    keys: answerKeys,
    text: texts,
    child: (key, member) => (key === 'name' ? name.context : below(key, member)),
  });
  const auditResource: Place = placeOf({
    keys: answerKeys,
    text: texts,
    child(key, member) {
      const kind = kindOf(member('type'));
      if (key === 'name' && kind === 'auditctx') return name.context;
      return key === 'data' && kind !== undefined ? record(kind) : below(key, member);
    },
  });
  const auditEvent: Place = placeOf({
    keys: answerKeys,
    text: texts,
    child: (key, member) =>
      key === 'context' ? auditContext : key === 'resource' ? auditResource : below(key, member),
  });

  function listOf(item: Place): Place {
    return placeOf({ text: texts, item: () => item, itemNames: () => item.itemNames });
  }

  // --- queries -------------------------------------------------------------------------------------------------

  function query(kind: Kind | undefined): Place {
    const term: Place = placeOf({
      keys: answerKeys,
      text: texts,
      child(key, member) {
        if (key === 'tag') return name.tag;
        if (key === 'property') return name.property;
        const named = kind === 'auditctx' && /^(?:name|description)$/.test(String(member('property')));
        return key === 'value' && named ? name.context : free;
      },
    });
    const sort: Place = placeOf({
      keys: answerKeys,
      text: texts,
      child: (key) => (key === 'by' ? name.property : free),
    });
    const spec: Place = placeOf({
      keys: answerKeys,
      text: texts,
      child: (key) => (key === 'terms' ? listOf(term) : key === 'sort' ? sort : free),
    });
    return placeOf({
      keys: answerKeys,
      text: texts,
      child(key, member) {
        if (key !== 'spec') return free;
        const stated = kindOf(member('kind'));
        return kind === undefined && stated !== undefined ? query(stated).child(key, member) : spec;
      },
    });
  }

  // --- records -------------------------------------------------------------------------------------------------

  const records = new Map<Shape, Place>();
  const proxies = new Map<Shape, Place>();

  function record(kind: Kind): Place {
    return shaped(shapeOf(kind), false);
  }

  function shaped(shape: Shape, inProxy: boolean): Place {
    const known = inProxy ? proxies : records;
    const found = known.get(shape) ?? make(shape, inProxy);
    known.set(shape, found);
    return found;
  }

  function make(shape: Shape, inProxy: boolean): Place {
    const { spelling, responseOnly } = shape.facts;
    if (spelling === 'sealed') return sealed;
    if (spelling === 'tags') return tagMap;
    if (spelling === 'query') return query(undefined);
    switch (shape.type) {
      case 'scalar':
        return spelling === undefined || spelling === 'proxy' ? free : name[spelling];
      case 'free':
        return inProxy ? proxy : responseOnly === true ? answer : free;
      case 'map':
        return placeOf({ text: texts, child: () => shaped(shape.value, inProxy) });
      case 'list': {
        const item = () => shaped(shape.item, inProxy);
        return placeOf({ text: texts, isList: true, item, itemNames: () => namesIn(shape, inProxy) });
      }
      case 'object': {
        const inside = inProxy || spelling === 'proxy';
        return placeOf({
          keys: declaredKeys(vocabulary, shape),
          text: texts,
          child(key) {
            const field = shape.fields.get(key);
            if (field === undefined) return inside ? proxy.child(key, alone) : below(key, alone);
            return inside && userKeyed.has(key) && field.type === 'free' ? free : shaped(field, inside);
          },
        });
      }
    }
  }

  /** An item goes by its one key field, or is a plain value. */
  function namesIn(shape: Shape, inProxy: boolean) {
    if (shape.type !== 'list') return texts;
    const item = shaped(shape.item, inProxy);
    const { list } = shape.facts;
    if (list?.class !== 'keyed') return item.text;
    const [part, second] = list.key.parts;
    const [field, other] = part?.fields ?? [];
    return field === undefined || other !== undefined || second !== undefined
      ? unchanged
      : item.child(field, alone).text;
  }

  return { record, query, answer, auditEvent };
}
