import type { Construct } from 'constructs';
import type { PolicyProps } from '../../generated/interfaces/props.ts';
import type { TargetKind } from '../../src/schema/facts/kindFacts.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** Who may do what with which resources. */
export class Policy<Target extends TargetKind = TargetKind> extends Resource<'policy'> {
  readonly targetKind: Target;

  constructor(scope: Construct, id: string, props: PolicyProps & { readonly targetKind: Target }) {
    super(scope, id, 'policy', props, ownFields(props));
    this.targetKind = props.targetKind;
  }
}
