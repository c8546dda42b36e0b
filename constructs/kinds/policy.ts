import type { Construct } from 'constructs';
import type { PolicyFields } from '../../generated/interfaces/props.ts';
import type { TargetKind } from '../../src/kinds/kindFacts.ts';
import { Existing } from '../existing.ts';
import { PolicyLists } from '../generated/lists.ts';
import { ownFields } from '../ownFields.ts';
import type { LinkTo } from '../references.ts';

/** Which principals may do what with which resources. */
export class Policy<Target extends TargetKind = TargetKind> extends PolicyLists<Target> {
  readonly targetKind: Target;

  constructor(
    scope: Construct,
    id: string,
    props: {
      /** Kind of the target records, which determines the permissions that can be granted. */
      readonly targetKind: Target;
    } & PolicyFields[Target],
  ) {
    super(scope, id, 'policy', props, ownFields(props));
    this.targetKind = props.targetKind;
  }

  /** A policy that exists without this stack. */
  static fromName(scope: Construct, id: string, name: string): Existing<'policy'> {
    return new Existing(scope, id, { kind: 'policy', name });
  }

  /** A policy that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: Construct, id: string, link: LinkTo<'policy'>): Existing<'policy'> {
    return new Existing(scope, id, { kind: 'policy', link });
  }
}
