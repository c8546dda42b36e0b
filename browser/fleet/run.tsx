import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { Shown } from '../live/shown.tsx';
import { Turn, useReading } from '../live/useLive.ts';
import { When } from '../live/when.tsx';
import { Code } from '../report/parts/badges.tsx';
import { Text } from '../report/parts/text.tsx';
import { PlanView } from '../report/plan/plan.tsx';
import type { Service } from './service.ts';
import { timeOf } from './words.ts';

interface Props {
  readonly service: Service;
  readonly onSignIn: () => void;
  readonly id: string;
}

/** One run: how it ended, its log, and what it planned or did. */
export function RunView({ service, onSignIn, id }: Props): VNode {
  const turn = useMemo(() => new Turn(), []);
  const live = useReading({ key: `run ${id}`, load: (signal) => service.run(id, signal), onSignIn, turn });
  return (
    <Shown of={live}>
      {({ run, shown }) => (
        <>
          <h1>
            Run of <a href={`#/stack/${encodeURIComponent(run.stack)}`}>{run.stack}</a>: {run.outcome ?? 'running'}
          </h1>
          <p class="hint">
            <When at={timeOf(run.startMs)} /> to <When at={timeOf(run.endMs)} />, by <Text of={run.worker} />, fence{' '}
            {run.fence}
          </p>
          {run.error !== undefined && (
            <div class="callout bad">
              <p>
                <Code of={run.error.code} /> <Text of={run.error.message} />
              </p>
              {run.error.hint !== undefined && (
                <p class="hint">
                  <Text of={run.error.hint} />
                </p>
              )}
            </div>
          )}
          <section class="panel" aria-labelledby="log-title">
            <h2 id="log-title">Log</h2>
            <pre>
              {run.log.map(({ atMs, text }, index) => (
                <span key={index} class="line">
                  {new Date(atMs).toISOString().slice(11, 19)} <Text of={text} />
                  {'\n'}
                </span>
              ))}
            </pre>
          </section>
          {shown !== undefined && <PlanView plan={shown} printing={false} titled={false} />}
        </>
      )}
    </Shown>
  );
}
