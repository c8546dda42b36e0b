import { inTurn, prefix, type Renaming, steered, type Way } from './renaming.ts';
import { hasNeutralWord, type Words, wholeWord, wordsInKeys, wordsInside } from './words.ts';

/**
 * The classes of names that an installation spells in its own way (platform/proxy.names, platform/concepts.names,
 * platform/concepts.tags, platform/concepts.quantities).
 */
export interface Vocabulary {
  /** Of JSON objects, where no schema says which fields there are. */
  readonly keys: Renaming;
  /** What a field that the platform has is called: itself, unless its name has a word or is in `names`. */
  readonly field: (name: string) => string;
  /** Names of types and filters: `proxy.filters.http.ext_authz`, and what `@type` holds. */
  readonly types: Renaming;
  /** `scheme/protected`. */
  readonly tags: Renaming;
  /** `x-scheme-session`; in lower case. */
  readonly headers: Renaming;
  /** `SCHEME_TOKEN`. */
  readonly environment: Renaming;
  /** `scheme-agent`. */
  readonly containers: Renaming;
  /** The name of the audit context that every org has. */
  readonly context: Renaming;
  /** `_scheme.example.com`, where ownership of a domain is proven (platform/domain.ownership). */
  readonly hosts: Renaming;
  /** Paths, with or without their query. */
  readonly addresses: Renaming;
  /** Every other text: `scheme://secret/x` and links are translated, all else stays. */
  readonly texts: Renaming;
}

/** Names by the class that their neutral spelling shows; the rest are keys and names of types. */
const classes = {
  tags: /^scheme\//,
  headers: /^x-scheme-/,
  environment: /^SCHEME_/,
  containers: /^scheme-/,
  context: /^scheme$/,
} as const;

export type NameClass = keyof typeof classes | 'keys';

const classNames = ['tags', 'headers', 'environment', 'containers', 'context'] as const;

export function classOf(neutral: string): NameClass {
  return classNames.find((name) => classes[name].test(neutral)) ?? 'keys';
}

/** `names` beat `words`. */
export function vocabularyOf(words: Words, names: ReadonlyMap<string, string>): Vocabulary {
  const own = words.scheme;
  function named(nameClass: NameClass, base: Renaming): Renaming {
    return steered(base, new Map([...names].filter(([neutral]) => classOf(neutral) === nameClass)));
  }
  const context = named('context', wholeWord('scheme', own));
  const address = addresses(context);
  const wordsOfKeys = wordsInKeys(words);
  return {
    keys: named('keys', wordsOfKeys),
    field(name) {
      const stated = classOf(name) === 'keys' ? names.get(name) : undefined;
      return stated ?? (hasNeutralWord(name) ? wordsOfKeys.toWire(name) : name);
    },
    types: named('keys', wordsInside(words)),
    tags: named('tags', prefix('scheme/', `${own}/`)),
    headers: named('headers', prefix('x-scheme-', `x-${own}-`)),
    environment: named('environment', environmentPrefixes(own)),
    containers: named('containers', prefix('scheme-', `${own}-`)),
    context,
    hosts: inTurn(prefix('_scheme.', `_${own}.`), prefix('_scheme-', `_${own}-`)),
    addresses: address,
    texts: inTurn(prefix('scheme://', `${own}://`), address),
  };
}

/** The reserved prefix is known in any case (platform/gvc, rule G4), as far as there is one way back. */
function environmentPrefixes(own: string): Renaming {
  const capital = own.charAt(0).toUpperCase() + own.slice(1);
  return inTurn(
    prefix('SCHEME_', `${own.toUpperCase()}_`),
    prefix('scheme_', `${own}_`),
    prefix('Scheme_', `${capital}_`),
  );
}

/** A link to an audit context, or a path below it: `/org/o/auditctx/x`, `//auditctx/x`, `/audit/org/o/auditctx/x`. */
const contextPath = /^((?:https?:\/\/[^/?#]+)?(?:\/audit)?(?:\/org\/[^/?#]+|\/)\/auditctx\/)([^/?#]+)/;
/** An audit trail asked for by the name of a context. */
const trailPath =
  /^((?:https?:\/\/[^/?#]+)?\/audit\/org\/[^/?#]+\/resource\/name\/)([^/?#]+)(?=\?(?:[^#]*&)?resourceType=auditctx(?:&|$))/;
const contextParameter = /([?&]contextName=)([^&#]*)/g;

/**
 * Paths: nothing in them has words of the installation but the audit context that every org has (platform/audit.trail).
 */
function addresses(context: Renaming): Renaming {
  function rename(address: string, way: Way): string {
    if (!address.includes('/auditctx/') && !address.includes('/audit/')) return address;
    const word = context[way];
    return address
      .replace(contextPath, (_, before: string, name: string) => before + word(name))
      .replace(trailPath, (_, before: string, name: string) => before + word(name))
      .replace(contextParameter, (_, before: string, name: string) => before + word(name));
  }
  return { toWire: (address) => rename(address, 'toWire'), toNeutral: (address) => rename(address, 'toNeutral') };
}
