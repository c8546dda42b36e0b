// The public surface, every name written out.

export { Annotations } from '../constructs/annotations.ts';
export { App, type AppOptions } from '../constructs/app.ts';
export { type Aspect, type AspectOptions, AspectPriority, Aspects } from '../constructs/aspects.ts';
export type { EnvRecord, EnvValue } from '../constructs/environment.ts';
export {
  type AppEnvironment,
  type Environment,
  Environments,
  type EnvironmentsOptions,
} from '../constructs/environments.ts';
export { Existing, type ExistingProps } from '../constructs/existing.ts';
// The constructs without a handwritten class, whose names the generator writes out.
export * from '../constructs/generated/kinds.ts';
export type { AddedContainer, AddedDomainPort } from '../constructs/generated/lists.ts';
export { Grant, type PermissionOn, type Principal } from '../constructs/grants.ts';
export { CloudAccount } from '../constructs/kinds/cloudAccount.ts';
export { defineKind } from '../constructs/kinds/defineKind.ts';
export { Domain, type RouteOptions } from '../constructs/kinds/domain.ts';
export { ExistingGvc, Gvc, type OutsideOfGvc } from '../constructs/kinds/gvc.ts';
export { Policy } from '../constructs/kinds/policy.ts';
export { RawResource, type RawResourceProps } from '../constructs/kinds/rawResource.ts';
export { ExistingSecret, Secret, type SecretMountOptions, type SecretType } from '../constructs/kinds/secret.ts';
export { ServiceAccount } from '../constructs/kinds/serviceAccount.ts';
export { ExistingVolumeSet, type VolumeMountOptions, VolumeSet } from '../constructs/kinds/volumeSet.ts';
export { type Caller, ExistingWorkload, Workload } from '../constructs/kinds/workload.ts';
export type { Linkable } from '../constructs/linkable.ts';
export { Output, type OutputProps } from '../constructs/output.ts';
export {
  Cpu,
  type CpuQuantity,
  Duration,
  type DurationText,
  type MaxAge,
  Memory,
  type MemoryQuantity,
  type Replicas,
  type Retention,
  Size,
  type TimeToLive,
} from '../constructs/quantities.ts';
export type { Needs } from '../constructs/reasons.ts';
export {
  type InternalUri,
  Link,
  type LinkInOwnGvc,
  type LinkTo,
  type Reference,
  type VolumeSource,
} from '../constructs/references.ts';
export {
  type GvcScopedProps,
  type LifecycleProps,
  Resource,
  type ResourceProps,
  type ResourceTags,
} from '../constructs/resource.ts';
export { Schedule, type TimeOfDay, type Weekday } from '../constructs/schedule.ts';
export { SecretKey } from '../constructs/secretKey.ts';
export { type Sensitive, sensitive } from '../constructs/sensitive.ts';
export { CronJob, type CronJobProps } from '../constructs/services/cronJob.ts';
export { Database, type DatabaseProps } from '../constructs/services/database.ts';
export {
  type ServerlessScale,
  ServerlessService,
  type ServerlessServiceProps,
} from '../constructs/services/serverlessService.ts';
export type { ServerProps, ServiceProps } from '../constructs/services/serviceProps.ts';
export {
  type StandardScale,
  StandardService,
  type StandardServiceProps,
} from '../constructs/services/standardService.ts';
export { StatefulService, type StatefulServiceProps } from '../constructs/services/statefulService.ts';
export {
  type FilesSiteProps,
  type ImageSiteProps,
  StaticSite,
  type StaticSiteProps,
} from '../constructs/services/staticSite.ts';
export type { Storage } from '../constructs/services/storage.ts';
export { Stack, type StackProps } from '../constructs/stack.ts';
export { type TagOptions, Tags } from '../constructs/tags.ts';
export { type GvcFromSettings, type GvcOption, Target } from '../constructs/target.ts';
export { Testing } from '../constructs/testing.ts';
// The props of every construct and the types inside of them, whose names the generator writes out.
export type * from '../generated/interfaces/props.ts';
export type { JsonArray, JsonObject, JsonValue } from './base/json/json.ts';
export { ToolError, type ToolErrorFields } from './base/toolError.ts';
export type { CustomKindOptions } from './kinds/readCustomKind.ts';
export type { LiveResource, Snapshot } from './manifest/live/snapshot.ts';
export type { LocatedProblem } from './manifest/model/locatedProblem.ts';
export { renderProblem } from './manifest/model/locatedProblem.ts';
export type { DesiredResource, Lifecycle, Manifest, Position } from './manifest/model/manifest.ts';
export type { Change } from './plan/model/change.ts';
export type { Plan } from './plan/model/plan.ts';
export type { CreatableKind, CustomKind, Kind, KnownKind } from './schema/record/kinds.ts';
export type { Problem } from './schema/record/problem.ts';
export { formatRef, type Ref, type ResourceId } from './schema/record/ref.ts';
