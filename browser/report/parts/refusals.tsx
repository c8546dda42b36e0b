import type { VNode } from 'preact';
import type { PlanDocument } from '../../../src/change/documents/planDocument.ts';
import type { Refusal } from '../../../src/plan/model/change.ts';
import { Code, ResourceName } from './badges.tsx';
import { counted, Text } from './text.tsx';

interface Props {
  readonly plan: PlanDocument;
  readonly onOpen: (id: string) => void;
}

/** Reasons that are shown at once; the changes have the others. */
const mostReasons = 50;

/** Why nothing will be written: before everything else. */
export function Refusals({ plan, onOpen }: Props): VNode | null {
  const reasons = [
    ...plan.refusals.map((refusal) => ({ refusal, id: undefined })),
    ...plan.changes.flatMap(({ id, refusals }) => refusals.map((refusal) => ({ refusal, id }))),
  ];
  if (reasons.length === 0) return null;
  return (
    <section class="panel bad" aria-labelledby="refusals-title">
      <h2 id="refusals-title">Refused for {counted(reasons.length, 'reason')}</h2>
      <ul class="reasons">
        {reasons.slice(0, mostReasons).map(({ refusal, id }, index) => (
          <li key={index}>
            {id !== undefined && (
              <button type="button" class="link" onClick={() => onOpen(id)}>
                <ResourceName id={id} />
              </button>
            )}
            <RefusalText refusal={refusal} />
          </li>
        ))}
      </ul>
      {reasons.length > mostReasons && (
        <p class="hint">{counted(reasons.length - mostReasons, 'more reason')}: each stands at its change below.</p>
      )}
    </section>
  );
}

export function RefusalText({ refusal: { code, message, allow } }: { readonly refusal: Refusal }): VNode {
  return (
    <>
      <p>
        <Code of={code} /> <Text of={message} />
      </p>
      {allow !== undefined && (
        <p class="hint">
          To permit it:{' '}
          <code>
            <Text of={allow} />
          </code>
        </p>
      )}
    </>
  );
}
