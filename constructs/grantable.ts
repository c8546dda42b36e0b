import type { CreatableKind } from '../src/schema/record/kinds.ts';
import { type Grant, grantOn, type PermissionOn, type Principal } from './grants.ts';
import { Origin } from './origin.ts';
import { Resource } from './resource.ts';

/** A resource that policies can target. */
export class GrantableResource<Kind extends CreatableKind = CreatableKind> extends Resource<Kind> {
  /**
   * Grants permissions on it to a principal, in a policy of the stack, one for each target, with the name
   * `grants--KIND--NAME` (`grants--KIND--GVC--NAME`). May be called any number of times.
   */
  grant(principal: Principal, ...permissions: readonly [PermissionOn<Kind>, ...PermissionOn<Kind>[]]): Grant {
    return grantOn(this, { principal, permissions, origin: new Origin(this.grant) });
  }
}
