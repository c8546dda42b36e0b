import type { VNode } from 'preact';
import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import type { Tone } from '../../src/change/words.ts';
import { duration, Shown, When } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { toneClass } from '../report/parts/badges.tsx';
import { counted, Text } from '../report/parts/text.tsx';
import { HealthBadge } from './rows.tsx';
import type { SideProps } from './sideProps.ts';

function useDeployments(link: string) {
  const path = `${link}/deployment`;
  return useLive(path, (api, signal) => api.list(path, signal));
}

/** A workload in each of its locations. */
export function Deployments({ place: { link } }: SideProps): VNode {
  const live = useDeployments(link);
  return (
    <Shown of={live}>
      {({ items }) => (
        <>
          {items.length === 0 && <p class="hint">It runs nowhere: its GVC has no location.</p>}
          <div class="cards">
            {items.map((deployment) => (
              <DeploymentCard key={stringAt(deployment, 'name')} deployment={deployment} />
            ))}
          </div>
        </>
      )}
    </Shown>
  );
}

function DeploymentCard({ deployment }: { readonly deployment: JsonObject }): VNode {
  const status = objectAt(deployment, 'status');
  const isReady = status['ready'] === true;
  const word = status['deploying'] === true ? 'deploying' : isReady ? 'ready' : 'not ready';
  const tone: Tone = word === 'ready' ? 'add' : word === 'deploying' ? 'change' : 'remove';
  const message = stringAt(status, 'message') ?? '';
  return (
    <article class="card" aria-label={stringAt(deployment, 'name')}>
      <h2>
        <Text of={stringAt(deployment, 'name') ?? ''} /> <HealthBadge of={{ word, tone }} />
      </h2>
      {message !== '' && (
        <p>
          <Text of={message} />
        </p>
      )}
      {listAt(status, 'versions')
        .filter(isObject)
        .map((version) => (
          <div key={stringAt(version, 'name')}>
            <h3>
              Version {numberAt(version, 'workload') ?? '?'}, since <When at={stringAt(version, 'created')} />
            </h3>
            <ul>
              {Object.values(objectAt(version, 'containers'))
                .filter(isObject)
                .map((container) => (
                  <ContainerLine key={stringAt(container, 'name')} container={container} />
                ))}
            </ul>
          </div>
        ))}
    </article>
  );
}

function ContainerLine({ container }: { readonly container: JsonObject }): VNode {
  const resources = objectAt(container, 'resources');
  const restarts = numberAt(objectAt(container, 'restarts'), 'count') ?? 0;
  const [ready, all] = ['replicasReady', 'replicas'].map((name) => numberAt(resources, name) ?? 0);
  return (
    <li>
      <strong>
        <Text of={stringAt(container, 'name') ?? ''} />
      </strong>{' '}
      <code>
        <Text of={stringAt(container, 'image') ?? ''} />
      </code>
      , {ready} of {all} replicas ready
      {restarts > 0 && `, ${counted(restarts, 'restart')}`}
    </li>
  );
}

const runTones: Readonly<Record<string, Tone>> = { Success: 'add', Failure: 'remove', Invalid: 'remove' };

/** The runs of a cron workload, newest first. */
export function Runs({ place: { link } }: SideProps): VNode {
  const live = useDeployments(link);
  return (
    <Shown of={live}>
      {({ items }) => {
        const runs = items.flatMap((deployment) =>
          listAt(objectAt(deployment, 'status'), 'jobExecutions')
            .filter(isObject)
            .map((run) => ({ run, location: stringAt(deployment, 'name') ?? '' })),
        );
        const start = ({ run }: (typeof runs)[number]): string => stringAt(run, 'startTime') ?? '';
        return (
          <>
            <ul class="rows">
              {runs
                .toSorted((a, b) => (start(a) < start(b) ? 1 : -1))
                .map(({ run, location }) => (
                  <RunRow key={`${location} ${stringAt(run, 'name')}`} run={run} location={location} />
                ))}
            </ul>
            {runs.length === 0 && <p class="hint">It has not run yet.</p>}
          </>
        );
      }}
    </Shown>
  );
}

function RunRow({ run, location }: { readonly run: JsonObject; readonly location: string }): VNode {
  const [status = '', started, ended] = ['status', 'startTime', 'completionTime'].map((name) => stringAt(run, name));
  const tone = Object.hasOwn(runTones, status) ? (runTones[status] ?? 'faint') : 'faint';
  return (
    <li>
      <When at={started} />
      <span class={`tag ${toneClass[tone]}`}>
        <Text of={status} />
      </span>
      <Text of={location} />
      <span class="brief">
        {ended !== undefined && started !== undefined && `took ${duration(Date.parse(ended) - Date.parse(started))} `}
        <Text of={stringAt(run, 'message') ?? ''} />
      </span>
      <span class="hint">version {numberAt(run, 'workloadVersion') ?? '?'}</span>
    </li>
  );
}
