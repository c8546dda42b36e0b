import type { JsonValue } from '../../base/json/json.ts';
import type { LinkForms } from '../record/ref.ts';
import type { RiskFact } from './riskFacts.ts';

/**
 * The rule for a field that the manifest omits.
 *
 * - `constant`: the default (or absence, without a default) applies;
 * - `derived`: the value that `derive` computes from the rest of the record applies;
 * - `service`: the platform chooses an unpredictable value: unmanaged while omitted;
 * - `irremovable`: it comes back when it is removed, with its documented refill;
 * - `operational`: operators switch it; if omitted, changes are reported, not reverted.
 */
export type FillClass = 'constant' | 'derived' | 'service' | 'irremovable' | 'operational';

export type ReferenceStrength =
  /** Must exist first; its deletion is refused while referenced. */
  | 'hard'
  /** Should exist first; ordered, but never blocks. */
  | 'soft'
  /** Never checked, never ordered. */
  | 'none'
  /** A child of the referrer: written in a second step. */
  | 'second-step';

export interface LinkFact extends LinkForms {
  readonly strength: ReferenceStrength;
  /**
   * A missing target causes a warning instead of a refusal; an existing one is ordered and protected as `strength`
   * says.
   */
  readonly mayBeMissing?: true;
  /** The referrer does not work without the target, although the platform deletes it: a route, a credential. */
  readonly needed?: true;
}

/** The first field that is set is the part of the key. */
export interface ListKeyPart {
  readonly fields: readonly string[];
  readonly optional?: true;
  /** The key that the platform stores if none of the fields is set; such an item has it from its creation. */
  readonly otherwise?: string;
}

/** How a list item is identified (platform/patch.list-keys). */
export interface ListKey {
  /** In key order; joined by `+`. */
  readonly parts: readonly ListKeyPart[];
  /**
   * `lastSegment`: links and bare names are equal if their last path segments are. `ignoreCase`, `upperCase`: case is
   * ignored, and the key is written in lower or upper case (names of headers, words).
   */
  readonly compare?: 'lastSegment' | 'ignoreCase' | 'upperCase';
  /** `proposed` keys are used in patches only if the endpoint says `directives: all`. */
  readonly evidence: 'stated' | 'proposed';
}

export type ListClass =
  | { readonly class: 'set' }
  | { readonly class: 'sequence' }
  | {
      readonly class: 'keyed';
      readonly key: ListKey;
      /** An item with one of these fields makes the whole list a sequence (domain routes with a regex). */
      readonly sequenceIfAny?: readonly string[];
      /** The first item with one of these fields must stay the first (containers: the first port). */
      readonly firstWith?: readonly string[];
    };

/**
 * The parts that an installation may spell differently, if the value or its keys do not show it (`dialect/`): names of
 * types, environment variables, containers and the platform's own audit context; tags, alone and as a map; values that
 * a query or an expression compares; settings of the proxy; and values that are never examined.
 */
export type Spelling =
  | 'type'
  | 'environment'
  | 'container'
  | 'context'
  | 'tag'
  | 'tags'
  | 'property'
  | 'query'
  | 'expression'
  | 'proxy'
  | 'sealed';

/**
 * The form of a field that only the platform sets. It only describes: it is not checked, as each platform release may
 * add to it.
 */
export type Answer = (
  | { readonly is: 'text' | 'number' | 'flag' | 'json' }
  | { readonly is: 'list'; readonly item: Answer }
  | { readonly is: 'object'; readonly members: Readonly<Record<string, Answer>> }
) & {
  /** Its meaning, in words; a whole field has its own description. */
  readonly about?: string;
  /**
   * The record's fields on which its value depends: without any, it never changes. Absent if it changes with time, or
   * with every write.
   */
  readonly follows?: readonly string[];
  readonly sensitive?: true;
  /** Whether only the response to the creation contains it. */
  readonly isShownOnce?: true;
};

/** The facts about one field besides its JSON type. They are data only; no code names a kind. */
export interface FieldFacts {
  readonly fill?: FillClass;
  /** The constant, or the documented refill of an irremovable field. */
  readonly default?: JsonValue;
  /** The name of a function in `normalise.ts`. */
  readonly derive?: string;
  /** The platform's choice is not allowed together with one of these neighbours (`target` with `multi`, rule W18). */
  readonly notBeside?: readonly string[];
  /**
   * The platform stores the default, the derived value or the refill of an omitted field (platform/concepts.filled).
   */
  readonly stored?: true;
  /** The empty object has a meaning: it differs from an absent one (`tracing.provider.controlplane`). */
  readonly presence?: true;
  readonly quantity?: 'cpu' | 'memory';
  readonly link?: LinkFact;
  /** The text may contain `scheme://secret/...` or `scheme://volumeset/...`. */
  readonly uri?: readonly ('secret' | 'volumeset')[];
  readonly uriStrength?: ReferenceStrength;
  readonly list?: ListClass;
  readonly immutable?: true;
  /** Values beyond the specification. */
  readonly extensions?: readonly string[];
  /** The only value that clients may declare; others describe records of the platform. */
  readonly ownValue?: JsonValue;
  readonly sensitive?: true;
  /** A string with JSON, compared as parsed JSON. */
  readonly jsonText?: true;
  readonly responseOnly?: true;
  /** The content of a response-only field. Absent if unknown. */
  readonly answer?: Answer;
  /**
   * Free-form JSON whose objects are merged key by key, at any depth, and whose lists are one value; used for fields of
   * custom kinds.
   */
  readonly merged?: true;
  /**
   * Clients may send the object or the list as JSON text (`extras`, platform/clients.settable); the parsed value is
   * stored.
   */
  readonly orJsonText?: true;
  /** How the platform rewrites it when saving (platform/concepts.rewritten). */
  readonly canonical?: 'cidrs' | 'lowercase' | 'sortedNumbers' | 'routes' | 'image' | 'trimmed';
  /**
   * The list that this field abbreviates, with one item that has this key (the legacy `port` of a container,
   * platform/concepts.filled).
   */
  readonly shortFor?: string;
  /** Compared without case, and stored as sent (names of headers). */
  readonly ignoreCase?: true;
  /** Compared as text: `true` equals `"true"`, `3` equals `"3"` (tags, platform/concepts.tags). */
  readonly asText?: true;
  readonly spelling?: Spelling;
  /**
   * For a list inside list items: stacks own its items separately (`lifecycle.part`), regardless of who owns the
   * surrounding item (the routes of a domain's port). Elsewhere the class of the list decides
   * (`schema/shape/ownableCollections.ts`).
   */
  readonly shared?: true;
  /**
   * For a list without keys: its whole content identifies an item, so the order has no meaning and a stack can own a
   * single item.
   */
  readonly byContent?: true;
  /** Absent and the empty string are the same (environment values, headers, platform/concepts.rewritten). */
  readonly emptyIsAbsent?: true;
  /** The risk of a change; if absent, that of the enclosing field. The record itself has one by kind. */
  readonly risk?: RiskFact;
}
