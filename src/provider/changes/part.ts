import type { BlockSchema } from '../../hcl/attribute.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import type { Ref } from '../../schema/record/ref.ts';
import type { PlanInput } from '../plan/planResource.ts';
import type { Surroundings } from '../plan/target.ts';
import type { Records } from '../platform/records.ts';
import type { ChangeContext } from './changeContext.ts';

export interface PlannedPart {
  /** Undefined: it is to be deleted. */
  readonly planned: ObjectValue | undefined;
  /** The attributes that cannot be changed in place. */
  readonly requiresReplace: readonly AttributePath[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A resource of Terraform that is a part of one record. */
export interface PartType {
  readonly schema: BlockSchema;
  /** The problems of a configuration by itself. */
  readonly validate: (config: ObjectValue) => Promise<readonly Diagnostic[]>;
  /** The record that it is a part of; undefined: its name is not known yet. */
  readonly recordOf: (state: ObjectValue) => Ref | undefined;
  /** `config` undefined: it is to be deleted. */
  readonly plan: (
    config: ObjectValue | undefined,
    prior: ObjectValue | undefined,
    of: Surroundings & Pick<PlanInput, 'maxRisk'>,
  ) => PlannedPart;
  /** Undefined: it is gone. */
  readonly read: (records: Records, state: ObjectValue, org: string) => Promise<ObjectValue | undefined>;
  readonly create: (context: ChangeContext, config: ObjectValue) => Promise<ObjectValue>;
  /** Absent: every change replaces it. */
  readonly update?: (context: ChangeContext, config: ObjectValue, prior: ObjectValue) => Promise<ObjectValue>;
  /** Also where it is gone already. */
  readonly remove: (context: ChangeContext, state: ObjectValue) => Promise<void>;
  /** The form of an id to import. */
  readonly importForm: string;
  /** The attributes that an id to import names; undefined: it has another form. */
  readonly imported: (id: string) => ObjectValue | undefined;
}
