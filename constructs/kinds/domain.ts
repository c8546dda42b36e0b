import type { Construct } from 'constructs';
import type { DomainProps } from '../../generated/interfaces/props.ts';
import { Resource } from '../resource.ts';
import { ownFields } from './ownFields.ts';

/** A host name, and where its requests go. Its name is the host name. */
export class Domain extends Resource<'domain'> {
  constructor(scope: Construct, id: string, props: DomainProps = {}) {
    super(scope, id, 'domain', props, { spec: ownFields(props) });
  }
}
