import type { ApplyEvent } from '../../apply/report/events.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** The replacements of a run that have begun to delete and have not ended: whoever leaves now leaves them deleted. */
export interface OpenReplacements {
  onEvent(event: ApplyEvent): void;
  ids(): readonly ResourceId[];
}

export function followReplacements({ changes }: Plan): OpenReplacements {
  const replaced = new Set(changes.filter(({ action }) => action === 'replace').map(({ id }) => id));
  const open = new Set<ResourceId>();
  return {
    onEvent(event) {
      if (event.type === 'started' && event.step === 'delete' && replaced.has(event.id)) open.add(event.id);
      if (event.type === 'done' || event.type === 'failed' || event.type === 'skipped') open.delete(event.id);
    },
    ids: () => [...open].sort(),
  };
}
