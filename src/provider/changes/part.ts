import type { BlockSchema } from '../../hcl/attribute.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { PlanInput } from '../plan/planResource.ts';
import type { Surroundings } from '../plan/target.ts';
import type { Records } from '../platform/records.ts';
import type { ChangeContext } from './changeContext.ts';

export interface PlannedPart {
  /** Undefined for a deletion. */
  readonly planned: ObjectValue | undefined;
  /** The attributes that cannot be changed in place. */
  readonly requiresReplace: readonly AttributePath[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface CreatedPart {
  readonly state: ObjectValue;
  readonly diagnostics: readonly Diagnostic[];
}

/** A Terraform resource that is a part of one record. */
export interface PartType {
  readonly schema: BlockSchema;
  /** The problems of a configuration without a plan. */
  readonly validate: (config: ObjectValue) => Promise<readonly Diagnostic[]>;
  /** The record that it is a part of; undefined if its name is not known yet. */
  readonly recordOf: (state: ObjectValue) => Ref | undefined;
  /** `config` is undefined for a deletion. */
  readonly plan: (
    config: ObjectValue | undefined,
    prior: ObjectValue | undefined,
    of: Surroundings & Pick<PlanInput, 'maxRisk'>,
  ) => PlannedPart;
  /** Undefined if it does not exist. */
  readonly read: (records: Records, state: ObjectValue, org: string) => Promise<ObjectValue | undefined>;
  /** Distinguishes it from others of its record, as far as its configuration does. */
  readonly identity: (state: ObjectValue) => string;
  /** `wasLeft`: an interrupted apply of this configuration has begun to create it, and may have done so. */
  readonly create: (context: ChangeContext, config: ObjectValue, wasLeft: boolean) => Promise<CreatedPart>;
  /** If absent, every change replaces the resource. */
  readonly update?: (context: ChangeContext, config: ObjectValue, prior: ObjectValue) => Promise<ObjectValue>;
  /** Also succeeds if it is already deleted. */
  readonly remove: (context: ChangeContext, state: ObjectValue) => Promise<void>;
  /** The form of an import id. */
  readonly importForm: string;
  /** The attributes in an import id; undefined if it has another form. */
  readonly imported: (id: string) => ObjectValue | undefined;
}
