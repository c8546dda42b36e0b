import { type JsonObject, objectAt, stringAt } from '../../base/json/json.ts';
import type { Subject } from '../../schema/rules/rule.ts';
import { fileSystemOf } from './mounts.ts';

/** The data that the rules of a volume set use (platform/volumeset), read when a rule asks for it. */
export class VolumeSetView {
  readonly record: JsonObject;
  readonly gvc: string | undefined;

  constructor({ record, context }: Subject) {
    this.record = record;
    this.gvc = context.gvc;
  }

  get spec(): JsonObject {
    return objectAt(this.record, 'spec');
  }

  get autoscaling(): JsonObject {
    return objectAt(this.spec, 'autoscaling');
  }

  get fileSystem(): string {
    return fileSystemOf(this.record);
  }

  get isShared(): boolean {
    return this.fileSystem === 'shared';
  }

  /** `shared` when it is omitted on a shared set (platform/concepts.filled). */
  get performanceClass(): string | undefined {
    return stringAt(this.spec, 'performanceClass') ?? (this.isShared ? 'shared' : undefined);
  }
}

export function volumeSetView(subject: Subject): VolumeSetView {
  return new VolumeSetView(subject);
}
