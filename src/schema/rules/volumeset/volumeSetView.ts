import { type JsonObject, objectAt, stringAt } from '../../json/json.ts';
import type { Subject } from '../model/rule.ts';
import { fileSystemOf } from './mounts.ts';

/** The data that the rules of a volume set use (platform/volumeset). */
export interface VolumeSetView {
  readonly record: JsonObject;
  readonly gvc: string | undefined;
  readonly spec: JsonObject;
  readonly autoscaling: JsonObject;
  readonly fileSystem: string;
  readonly isShared: boolean;
  /** `shared` when it is omitted on a shared set (platform/concepts.filled). */
  readonly performanceClass: string | undefined;
}

export function volumeSetView({ record, context }: Subject): VolumeSetView {
  const spec = objectAt(record, 'spec');
  const fileSystem = fileSystemOf(record);
  const isShared = fileSystem === 'shared';
  return {
    record,
    gvc: context.gvc,
    spec,
    autoscaling: objectAt(spec, 'autoscaling'),
    fileSystem,
    isShared,
    performanceClass: stringAt(spec, 'performanceClass') ?? (isShared ? 'shared' : undefined),
  };
}
