import { type Kind, kindNamed } from '../../schema/record/kinds.ts';
import type { Renaming } from '../words/renaming.ts';
import { type Member, type Place, placeOf } from './place.ts';
import { type SimplePlaces, userKeyed } from './simplePlaces.ts';

export interface AnswerSurroundings {
  readonly simple: SimplePlaces;
  readonly keys: Renaming;
  readonly containers: Renaming;
  readonly record: (kind: Kind) => Place;
  readonly query: (kind: Kind | undefined) => Place;
}

/** What the platform says where no schema describes it; some members mean the same wherever they stand. */
export function answerPlaces({ simple, keys, containers, record, query }: AnswerSurroundings): {
  readonly answer: Place;
  readonly auditEvent: Place;
} {
  const { free, tagMap, proxy, name } = simple;
  const { text } = free;

  function below(key: string, member: Member): Place {
    switch (key) {
      case 'tags':
      case 'snapshotTags': // a list of pairs; a snapshot shows them as `tags`
        return tagMap;
      case 'items':
        return itemsOf(kindNamed(member('itemKind')), member('itemKind') === 'auditevent');
      case 'query':
        return query(kindNamed(member('itemKind')));
      case 'env':
        return variables;
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

  function itemsOf(kind: Kind | undefined, audit: boolean): Place {
    const item = kind === undefined ? (audit ? auditEvent : ofKindsSaid) : record(kind);
    return placeOf({ text, item: () => item });
  }

  /** A part of the platform's answers where some members mean something else than elsewhere. */
  function part(own: (key: string, member: Member) => Place | undefined): Place {
    return placeOf({ keys, text, child: (key, member) => own(key, member) ?? below(key, member) });
  }

  const answer: Place = part(() => undefined);
  const variable = part((key) => (key === 'name' ? name.environment : free));
  const variables = placeOf({ text, item: () => variable, itemNames: () => name.environment.text });
  const container = part((key) => (key === 'name' ? name.container : undefined));
  /** A list of containers, or a map of them by name. */
  const containersByName = placeOf({ keys: containers, text, item: () => container, child: () => answer });
  /** Documents that say what kind they are: several custom resources (platform/wire.discovery). */
  const ofKindsSaid = part((key, member) => {
    const kind = kindNamed(member('kind'));
    return kind === undefined ? undefined : record(kind).child(key, member);
  });

  const auditContext = part((key) => (key === 'name' ? name.context : undefined));
  const auditResource = part((key, member) => {
    const kind = kindNamed(member('type'));
    if (key === 'name' && kind === 'auditctx') return name.context;
    return key === 'data' && kind !== undefined ? record(kind) : undefined;
  });
  const auditEvent = part((key) => (key === 'context' ? auditContext : key === 'resource' ? auditResource : undefined));
  return { answer, auditEvent };
}
