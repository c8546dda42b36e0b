import type { VNode } from 'preact';
import type { PagePlan } from '../../../src/report/pageData.ts';
import { ResourceName } from '../parts/badges.tsx';
import { counted } from '../parts/text.tsx';
import { ProblemView } from '../parts/tree.tsx';

interface Props {
  readonly refusals: PagePlan['refusals'];
  readonly onOpen: (id: string) => void;
}

/** Reasons that are shown at once; the changes have the others. */
const mostReasons = 50;

/** Why nothing will be written: before everything else. */
export function Refusals({ refusals: reasons, onOpen }: Props): VNode | null {
  if (reasons.length === 0) return null;
  return (
    <section class="panel bad" aria-labelledby="refusals-title">
      <h2 id="refusals-title">Refused for {counted(reasons.length, 'reason')}</h2>
      <ul class="reasons">
        {reasons.slice(0, mostReasons).map(({ problem, id }, index) => (
          <li key={index}>
            {id !== undefined && (
              <button type="button" class="link" onClick={() => onOpen(id)}>
                <ResourceName id={id} />
              </button>
            )}
            <ProblemView of={problem} />
          </li>
        ))}
      </ul>
      {reasons.length > mostReasons && (
        <p class="hint">{counted(reasons.length - mostReasons, 'more reason')}: each stands at its change below.</p>
      )}
    </section>
  );
}
