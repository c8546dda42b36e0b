import { ToolError } from '../src/base/toolError.ts';
import { type GvcScopedKind, isGvcScoped, type KnownKind } from '../src/schema/record/kinds.ts';
import { type Linkable, refOfLink } from './linkable.ts';
import type { SecretKey } from './secretKey.ts';

type InOrg<Path extends string> = `//${Path}` | `/org/${string}/${Path}`;

/** The form of a link to each kind (platform/concepts.links). */
type LinkForms = {
  readonly [Of in KnownKind]: Of extends 'org'
    ? `/org/${string}`
    : Of extends 'deployment'
      ? InOrg<`gvc/${string}/workload/${string}/${Of}/${string}`>
      : Of extends GvcScopedKind
        ? InOrg<`gvc/${string}/${Of}/${string}`>
        : InOrg<`${Of}/${string}`>;
};

/** A link to a record of this kind, as text. A text from elsewhere: `Link.parse(kind, text)`. */
export type LinkTo<Of extends KnownKind> = LinkForms[Of];

/** A construct, or a link to a record of this kind. */
export type Reference<Of extends KnownKind> = Linkable<Of> | LinkTo<Of>;

/** The short form of a link within the same GVC, if the field accepts it. */
export type LinkInOwnGvc<Of extends KnownKind> = `//${Of}/${string}`;

/** A URI of the platform itself, such as `scheme://internal/keda`. */
export type InternalUri = `scheme://internal/${string}`;

type ExternalVolume = `${'s3' | 'gs' | 'azureblob' | 'azurefs' | 'scratch' | 'k8s'}://${string}`;

/** The source of a volume: a construct, a key of a secret, or a URI. */
export type VolumeSource<Of extends 'secret' | 'volumeset'> =
  | Linkable<Of>
  | ('secret' extends Of ? SecretKey : never)
  | `scheme://${Of}/${string}`
  | ExternalVolume;

/** Links from texts that are not known to the compiler. */
export const Link = {
  /** Errors: `stack.link` if there is no text, or if it is not a link to a record of this kind. */
  parse<const Of extends KnownKind>(kind: Of, text: string | undefined): LinkTo<Of> {
    if (text !== undefined && isLinkTo(kind, text)) return text;
    throw wrongLink(`Link.parse('${kind}') was given`, kind, text);
  },
} as const;

function isLinkTo<Of extends KnownKind>(kind: Of, text: string): text is LinkTo<Of> {
  return refOfLink(text)?.kind === kind;
}

export function wrongLink(what: string, kind: KnownKind, text: string | undefined): ToolError {
  const found = text === undefined ? 'no text: is the environment variable set?' : JSON.stringify(text);
  const form = isGvcScoped(kind) ? `//gvc/GVC/${kind}/NAME` : `//${kind}/NAME`;
  return new ToolError({
    code: 'stack.link',
    message: `${what} ${found}`,
    hint: `A link to it has the form ${form}.`,
  });
}
