import type { Construct } from 'constructs';
import { withArticle } from '../src/base/text/article.ts';
import type { KnownKind } from '../src/schema/record/kinds.ts';
import { type Grant, grantOn, type PermissionOn, type Principal } from './grants.ts';
import { refOfLink } from './linkable.ts';
import { report } from './mistakes.ts';
import { Origin } from './origin.ts';
import { type LinkTo, wrongLink } from './references.ts';
import { type GvcOption, Target } from './target.ts';

/** Identifies a resource that the stack does not create: by its name, or by a link. */
export type ExistingProps<Of extends KnownKind> = { readonly kind: Of } & (
  | ({ readonly name: string } & GvcOption)
  | { readonly link: LinkTo<Of> }
);

/**
 * A resource that exists without this stack: it makes no manifest, and can be used as any reference. Each class has
 * `fromName` and `fromLink` for its kind; use this one for kinds without a class (`user`, `image`, …).
 *
 * @example
 * new Existing(stack, 'admin', { kind: 'user', name: 'admin@example.com' })
 */
export class Existing<Of extends KnownKind = KnownKind> extends Target<Of> {
  /**
   * Errors: `stack.scope` for the name of a GVC-scoped resource without a GVC; `stack.link` if the text is not a link to
   * a record of this kind.
   */
  constructor(scope: Construct, id: string, props: ExistingProps<Of>) {
    const { kind } = props;
    if ('name' in props) {
      super(scope, id, { kind, name: props.name, gvc: props.gvc });
    } else {
      const ref = refOfLink(props.link);
      if (ref?.kind === kind) super(scope, id, { kind, name: ref.name, gvc: ref.gvc, link: props.link });
      else {
        super(scope, id, { kind, name: id, gvc: { fromSettings: true } });
        report(wrongLink(`a link to ${withArticle(kind)} is expected; this is`, kind, props.link), this, this.origin);
      }
    }
  }

  /** Grants permissions on it to a principal, in a policy of this stack, one for each target. */
  grant(principal: Principal, ...permissions: readonly [PermissionOn<Of>, ...PermissionOn<Of>[]]): Grant {
    return grantOn(this, { principal, permissions, origin: new Origin(this.grant) });
  }
}
