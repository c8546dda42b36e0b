import { render, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { outcomeWords } from '../../src/change/words.ts';
import type { PageData, PagePlan } from '../../src/report/pageData.ts';
import { Code, Place, ResourceName, toneClass } from './parts/badges.tsx';
import { Frame } from './parts/frame.tsx';
import { counted, seen, Text } from './parts/text.tsx';
import { SectionView } from './parts/tree.tsx';
import { PlanView } from './plan.tsx';

const embedded = document.querySelector('#report');
const root = document.querySelector('#page');

if (embedded !== null && root !== null) {
  const data: PageData = JSON.parse(embedded.textContent ?? '');
  const draw = (printing: boolean): void => render(<App data={data} printing={printing} />, root);
  draw(false);
  root.removeAttribute('aria-busy');
  // Expands everything for printing: the rendering is complete when the call returns, before the pages are laid out.
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw(false));
}

interface Props {
  readonly data: PageData;
  readonly printing: boolean;
}

function App({ data, printing }: Props): VNode {
  const { plans, problems, error, sections, tool } = data;
  return (
    <Frame
      title="gantry"
      beside={<Subject data={data} />}
      foot={`Made by gantry ${tool.version}. This file makes no network requests, and values that are marked as sensitive are not in it.`}
    >
      <Verdict data={data} />
      {error !== undefined && !isToldElsewhere(data) && <ErrorView error={error} />}
      {problems.length > 0 && <ProblemsView problems={problems} />}
      {sections.map((section, index) => (
        <SectionView key={index} section={section} printing={printing} titled={sections.length > 1} />
      ))}
      <Plans plans={plans} printing={printing} />
    </Frame>
  );
}

/** A refused plan shows the reason itself, and so do the problems of manifests. */
function isToldElsewhere({ error, plans, problems }: PageData): boolean {
  if (error?.code === 'plan.refused') return plans.some(({ document }) => document.refused);
  return error?.code === 'input.invalid' && problems.some(({ severity }) => severity === 'error');
}

function Subject({ data }: Pick<Props, 'data'>): VNode {
  const { org, stack, gvc, environment, endpoint } = data.subject;
  const parts = [
    ['org', org],
    ['stack', stack],
    ['GVC', gvc],
    ['environment', environment],
    ['endpoint', endpoint],
  ] as const;
  return (
    <dl class="subject">
      {parts.map(
        ([word, name]) =>
          name !== undefined && (
            <div key={word}>
              <dt>{word}</dt>
              <dd>
                <Text of={name} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Plans({ plans, printing }: { readonly plans: readonly PagePlan[]; readonly printing: boolean }): VNode {
  const [chosen, choose] = useState(0);
  if (printing) {
    return (
      <>
        {plans.map((plan) => (
          <PlanView key={plan.document.stack} plan={plan} printing titled={plans.length > 1} />
        ))}
      </>
    );
  }
  const plan = plans[chosen];
  return (
    <>
      {plans.length > 1 && (
        <nav class="stacks" aria-label="Stacks">
          {plans.map(({ document: { stack, refused } }, index) => (
            <button type="button" key={stack} aria-pressed={index === chosen} onClick={() => choose(index)}>
              <Text of={stack} />
              {refused && ' (refused)'}
            </button>
          ))}
        </nav>
      )}
      {plan !== undefined && (
        <PlanView key={plan.document.stack} plan={plan} printing={false} titled={plans.length > 1} />
      )}
    </>
  );
}

type ReportedError = NonNullable<PageData['error']>;

/** The error of a command. */
function ErrorView({ error }: { readonly error: ReportedError }): VNode {
  return (
    <section class="panel bad" aria-labelledby="error-title">
      <h2 id="error-title">What went wrong</h2>
      <Cause cause={error} />
      {error.causes.length > 0 && (
        <ul class="reasons">
          {error.causes.map((cause, index) => (
            <li key={index}>
              <Cause cause={cause} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Cause({
  cause: { code, message, hint, resource, place },
}: {
  readonly cause: Omit<ReportedError, 'causes'>;
}): VNode {
  return (
    <>
      <p>
        <Code of={code} /> {resource !== undefined && <ResourceName id={resource} />}{' '}
        <span class="lines">
          <Text of={message} />
        </span>
      </p>
      {hint !== undefined && (
        <p class="hint">
          <Text of={hint} />
        </p>
      )}
      {place !== undefined && <Place at={place} />}
    </>
  );
}

/** The problems of manifests, errors first. */
function ProblemsView({ problems }: Pick<PageData, 'problems'>): VNode {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity !== 'error');
  return (
    <section class="panel" aria-labelledby="problems-title">
      <h2 id="problems-title">
        {[
          ...(errors.length === 0 ? [] : [counted(errors.length, 'error')]),
          ...(warnings.length === 0 ? [] : [counted(warnings.length, 'warning')]),
        ].join(', ')}{' '}
        in manifests
      </h2>
      <ul class="reasons">
        {[...errors, ...warnings].map((problem, index) => (
          <li key={index}>
            <p>
              <span class={problem.severity === 'error' ? 'tag bad' : 'tag warn'}>{problem.severity}</span>{' '}
              {problem.resource !== undefined && <ResourceName id={problem.resource} />}{' '}
              <code>
                <Text of={problem.path} />
              </code>{' '}
              <Text of={problem.message} /> <Code of={problem.rule} />
            </p>
            {problem.hint !== undefined && (
              <p class="hint">
                <Text of={problem.hint} />
              </p>
            )}
            <Place at={problem} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Verdict({ data: { outcome, title, error, made } }: { readonly data: PageData }): VNode {
  const failed = error !== undefined && outcomeWords[outcome].tone === 'add';
  const { tone, sign, words } = outcomeWords[failed ? 'failed' : outcome];
  return (
    <div class={`verdict ${toneClass[tone]}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <div>
        <h1>{seen(title)}</h1>
        <p>{words}</p>
        {made !== undefined && <Made of={made} />}
      </div>
    </div>
  );
}

/** The time, the commit, and the pipeline's run. */
function Made({ of: { at, commit, run } }: { readonly of: NonNullable<PageData['made']> }): VNode {
  return (
    <p class="made">
      Made <time dateTime={at}>{`${at.slice(0, 16).replace('T', ' ')} UTC`}</time>
      {commit !== undefined && (
        <>
          {' '}
          from commit <code>{commit.slice(0, 12)}</code>
        </>
      )}
      {run !== undefined && (
        <>
          {' '}
          by <a href={run}>this run</a>
        </>
      )}
    </p>
  );
}
