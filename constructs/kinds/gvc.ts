import type { Construct } from 'constructs';
import type { GvcProps } from '../../generated/interfaces/props.ts';
import { isContainer } from '../../src/schema/record/kinds.ts';
import { environmentList } from '../environment.ts';
import { Existing } from '../existing.ts';
import { GvcLists } from '../generated/lists.ts';
import { locationLink } from '../linkable.ts';
import { report } from '../mistakes.ts';
import { ownFields } from '../ownFields.ts';
import type { LinkTo } from '../references.ts';
import { isTarget, scopeError } from '../target.ts';

/** Where a GVC can be created: anywhere except inside of another GVC. */
export type OutsideOfGvc = Construct & { readonly insideOfGvc?: false };

/** A global virtual cloud: locations and shared settings, the scope of workloads, identities and volume sets. */
export class Gvc extends GvcLists {
  /** Only for the compiler: a GVC cannot be created in a GVC. */
  declare readonly insideOfGvc: true;

  /** Errors: `stack.scope` inside of another GVC. */
  constructor(scope: OutsideOfGvc, id: string, props: GvcProps = {}) {
    super(scope, id, 'gvc', props, { spec: specOf(props) });
    const around = this.node.scopes.find((other) => other !== this && isTarget(other) && isContainer(other.kind));
    if (around === undefined) return;
    const message = `the GVC "${this.name}" is made inside of the GVC "${around.node.id}"`;
    report(
      scopeError(this.origin, message, 'A GVC cannot contain another one: create it in the stack.'),
      this,
      this.origin,
    );
  }

  /** A GVC that exists without this stack. Use it as a scope: `new Workload(Gvc.fromName(…), …)`. */
  static fromName(scope: OutsideOfGvc, id: string, name: string): ExistingGvc {
    return new ExistingGvc(scope, id, { kind: 'gvc', name });
  }

  /** A GVC that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink(scope: OutsideOfGvc, id: string, link: LinkTo<'gvc'>): ExistingGvc {
    return new ExistingGvc(scope, id, { kind: 'gvc', link });
  }
}

/** A GVC that exists without this stack. */
export class ExistingGvc extends Existing<'gvc'> {
  /** Only for the compiler: a GVC cannot be created in a GVC. */
  declare readonly insideOfGvc: true;
}

function specOf(props: GvcProps): object {
  const { env, locations, staticPlacement } = props;
  const spec = { ...ownFields(props, 'locations', 'staticPlacement'), env: environmentList(env) };
  if (locations === undefined) return { ...spec, staticPlacement };
  const locationLinks = [...(staticPlacement?.locationLinks ?? []), ...locations.map(locationLink)];
  return { ...spec, staticPlacement: { ...staticPlacement, locationLinks } };
}
