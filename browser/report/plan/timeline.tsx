import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PlanDocument } from '../../../src/change/documents/planDocument.ts';
import { actionWords, endWords } from '../../../src/change/words.ts';
import type { PageChange } from '../../../src/report/pageData.ts';
import { ResourceName } from '../parts/badges.tsx';

type Result = NonNullable<PlanDocument['result']>;
type Run = NonNullable<Result['changes']>[number];

interface Props {
  readonly result: Result;
  readonly changes: readonly PageChange[];
  readonly printing: boolean;
  readonly onOpen: (id: string) => void;
}

/** Rows that are made before somebody asks for all. */
const mostRows = 200;

/** The requests in the order of their beginnings, with the time that each took. */
export function Timeline({ result, changes, printing, onOpen }: Props): VNode {
  const [all, setAll] = useState(false);
  const runs = (result.changes ?? []).toSorted((a, b) => beginOf(a, Infinity) - beginOf(b, Infinity));
  const begin = Math.min(...runs.map((run) => beginOf(run, Infinity)));
  const whole = Math.max(1, ...runs.map((run) => beginOf(run, begin) - begin + (run.elapsedMs ?? 0)));
  const actions = new Map(changes.map(({ id, action }) => [id, action]));
  const rows = all || printing ? runs : runs.slice(0, mostRows);
  return (
    <section class="panel" id="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Requests and their order</h2>
      <div class="scroll">
        <table class="timeline">
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Outcome</th>
              <th scope="col">Begins</th>
              <th scope="col">Takes</th>
              <th scope="col" class="lane">
                0 to {seconds(whole)}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((run) => {
              const { id, outcome, startedAt, elapsedMs = 0 } = run;
              const action = actions.get(id) ?? 'keep';
              const offset = beginOf(run, begin) - begin;
              return (
                <tr key={id} class={outcome}>
                  <th scope="row">
                    <span class={`symbol ${action}`} aria-hidden="true">
                      {actionWords[action].sign}
                    </span>{' '}
                    <button type="button" class="link" onClick={() => onOpen(id)}>
                      <ResourceName id={id} />
                    </button>
                  </th>
                  <td class={`outcome ${outcome}`}>
                    <span aria-hidden="true">{endWords[outcome].sign}</span> {outcome}
                  </td>
                  <td>{startedAt === undefined ? 'never' : `+${seconds(offset)}`}</td>
                  <td>{startedAt === undefined ? '' : seconds(elapsedMs)}</td>
                  <td class="lane" aria-hidden="true">
                    {startedAt !== undefined && (
                      <span
                        class={`run ${action}`}
                        style={{
                          marginInlineStart: `min(100% - 3px, ${(100 * offset) / whole}%)`,
                          width: `max(3px, ${(100 * elapsedMs) / whole}%)`,
                        }}
                      />
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {rows.length < runs.length && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show all {runs.length.toLocaleString('en')}
        </button>
      )}
    </section>
  );
}

/** In milliseconds; what was never begun: `otherwise`. */
function beginOf({ startedAt }: Run, otherwise: number): number {
  return startedAt === undefined ? otherwise : Date.parse(startedAt);
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
