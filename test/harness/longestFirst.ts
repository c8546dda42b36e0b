import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slowFiles } from './slowTests.ts';

const root = new URL('../..', import.meta.url).pathname;
const secondsOf = new Map(slowFiles.map(({ file, seconds }) => [file, seconds]));

/** Vitest's order, except that slow files begin first: at the end they would keep one worker busy alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const length = ({ moduleId }: TestSpecification): number => secondsOf.get(relative(root, moduleId)) ?? 0;
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    // Groups of projects stay one after the other.
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || length(b) - length(a));
  }
}
