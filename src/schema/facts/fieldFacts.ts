import type { JsonValue } from '../../base/json/json.ts';
import type { LinkForms } from '../record/ref.ts';
import type { RiskFact } from './riskFacts.ts';

/**
 * Who decides on a field that the manifest leaves out.
 *
 * - `constant`: it means the default (or absence, where there is none);
 * - `derived`: it means the value that `derive` computes from the rest of the record;
 * - `service`: the platform chooses, nobody can compute it: unmanaged while omitted;
 * - `irremovable`: it comes back when it is removed, with its documented refill;
 * - `operational`: operators switch it; omitted and changed means reported, not reverted.
 */
export type FillClass = 'constant' | 'derived' | 'service' | 'irremovable' | 'operational';

export type ReferenceStrength =
  /** Must exist before; its deletion is refused while referenced. */
  | 'hard'
  /** Should exist before; ordered, but never blocks. */
  | 'soft'
  /** Never checked, never ordered. */
  | 'none'
  /** Refers to a child of the referrer: written in a second step. */
  | 'second-step';

export interface LinkFact extends LinkForms {
  readonly strength: ReferenceStrength;
  /** A missing target is warned of, not refused; an existing one is ordered and protected as `strength` says. */
  readonly mayBeMissing?: true;
  /** The referrer does not work without the target, although the platform deletes it: a route, a credential. */
  readonly needed?: true;
}

/** The first of the fields that is set. */
export interface ListKeyPart {
  readonly fields: readonly string[];
  readonly optional?: true;
  /** The key that the platform stores if none of the fields is set: such an item has it from the beginning. */
  readonly otherwise?: string;
}

/** How a list item is identified (platform/patch.list-keys). */
export interface ListKey {
  /** In the order of the key; they are joined by `+`. */
  readonly parts: readonly ListKeyPart[];
  /**
   * `lastSegment`: links and bare names are equal by their last path segment. `ignoreCase`, `upperCase`: without case,
   * and named in lower or in upper case (names of headers, words).
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
      /** The first item that has one of these fields must stay the first (containers: the first port). */
      readonly firstWith?: readonly string[];
    };

/**
 * The parts that an installation spells in its own way, where the value or its keys do not show it (`dialect/`): names
 * of types, environment variables, containers and the platform's own audit context; tags, alone and as a map; what a
 * query or an expression compares; settings of the proxy; and what is never looked into.
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
 * The form of a field that only the platform sets. It is a description for readers: it is not checked, as each release
 * of the platform may add to it.
 */
export type Answer = (
  | { readonly is: 'text' | 'number' | 'flag' | 'json' }
  | { readonly is: 'list'; readonly item: Answer }
  | { readonly is: 'object'; readonly members: Readonly<Record<string, Answer>> }
) & {
  /** Its meaning, for people; of a whole field, its words say it. */
  readonly about?: string;
  /**
   * The fields of the record that it changes with, and nothing else: it never changes where there are none. Absent: it
   * changes with time, or with every write.
   */
  readonly follows?: readonly string[];
  readonly sensitive?: true;
  /** It is in the answer to the creation, and never again. */
  readonly isShownOnce?: true;
};

/** The facts about one field beyond its JSON type. All of it is data; no code knows a kind by name. */
export interface FieldFacts {
  readonly fill?: FillClass;
  /** The constant, or the documented refill of an irremovable field. */
  readonly default?: JsonValue;
  /** The name of a function in `normalise.ts`. */
  readonly derive?: string;
  /**
   * The value that the platform chose is not allowed together with one of these neighbours (`target` with `multi`, rule
   * W18).
   */
  readonly notBeside?: readonly string[];
  /**
   * The platform stores the default, the derived value or the refill when the field is omitted
   * (platform/concepts.filled).
   */
  readonly stored?: true;
  /** The empty object means something: it is not the same as an absent one (`tracing.provider.controlplane`). */
  readonly presence?: true;
  readonly quantity?: 'cpu' | 'memory';
  readonly link?: LinkFact;
  /** The text may contain `scheme://secret/...` or `scheme://volumeset/...`. */
  readonly uri?: readonly ('secret' | 'volumeset')[];
  readonly uriStrength?: ReferenceStrength;
  readonly list?: ListClass;
  readonly immutable?: true;
  /** Values that the specification does not have. */
  readonly extensions?: readonly string[];
  /** The one value that a client may declare; with others the platform describes records of its own. */
  readonly ownValue?: JsonValue;
  readonly sensitive?: true;
  /** A string with JSON, compared as parsed JSON. */
  readonly jsonText?: true;
  readonly responseOnly?: true;
  /** Of such a field: what is in it. Absent: nothing is known of it. */
  readonly answer?: Answer;
  /**
   * Free-form JSON whose objects are merged key by key, at any depth, and whose lists are one value: all that is known
   * of the fields of a custom kind.
   */
  readonly merged?: true;
  /**
   * Clients may send the object or the list as JSON text (`extras`, platform/clients.settable); the parsed value is
   * stored.
   */
  readonly orJsonText?: true;
  /** How the platform rewrites it on save (platform/concepts.rewritten). */
  readonly canonical?: 'cidrs' | 'lowercase' | 'sortedNumbers' | 'routes' | 'image' | 'trimmed';
  /**
   * Short for the list of this name with one item, which has this key (the legacy `port` of a container,
   * platform/concepts.filled).
   */
  readonly shortFor?: string;
  /** Compared without case, and stored as it was sent (names of headers). */
  readonly ignoreCase?: true;
  /** Comparison by text: `true` equals `"true"`, `3` equals `"3"` (tags, platform/concepts.tags). */
  readonly asText?: true;
  readonly spelling?: Spelling;
  /**
   * For a list inside the items of another list: stacks own single items of it (`lifecycle.part`), whoever owns the
   * item around them (the routes of a domain's port). Elsewhere the class of the list decides
   * (`schema/shape/ownableCollections.ts`).
   */
  readonly shared?: true;
  /**
   * For a list without keys: an item is identified by its whole content, so the order has no meaning and a stack can
   * own a single item.
   */
  readonly byContent?: true;
  /** Absent and the empty string are the same (environment values, headers, platform/concepts.rewritten). */
  readonly emptyIsAbsent?: true;
  /** The risk of a change; if absent, that of the enclosing field. The record itself has one for each kind. */
  readonly risk?: RiskFact;
}
