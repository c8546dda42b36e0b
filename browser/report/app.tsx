import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { PageData, PagePlan } from '../../src/report/pageData.ts';
import { DriftView } from './drift.tsx';
import { ExplanationView } from './explanation.tsx';
import { Text } from './parts/text.tsx';
import { PlanView } from './plan/plan.tsx';
import { ErrorView, ProblemsView } from './problems.tsx';
import { ThemeSwitch } from './theme.tsx';
import { Verdict } from './verdict.tsx';

interface Props {
  readonly data: PageData;
  readonly printing: boolean;
}

export function App({ data, printing }: Props): VNode {
  const { plans, problems, error, drifts, explanation, tool } = data;
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="top">
        <span class="brand">
          <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M2 5h20v4H2zM4 9v12M20 9v12M12 9v5M9 14h6v4H9z" />
          </svg>
          gantry
        </span>
        <Subject data={data} />
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        <Verdict data={data} />
        {error !== undefined && !isToldElsewhere(data) && <ErrorView error={error} />}
        {problems.length > 0 && <ProblemsView problems={problems} />}
        {drifts.map((drift) => (
          <DriftView key={drift.stack} drift={drift} printing={printing} titled={drifts.length > 1} />
        ))}
        {explanation !== undefined && <ExplanationView explanation={explanation} printing={printing} />}
        <Plans plans={plans} printing={printing} />
      </main>
      <footer>
        Made by gantry {tool.version}. This file asks nobody for anything, and values that are marked as sensitive are
        not in it.
      </footer>
    </>
  );
}

/** A refused plan says by itself why, and so do the problems of manifests. */
function isToldElsewhere({ error, plans, problems }: PageData): boolean {
  if (error?.code === 'plan.refused') return plans.some(({ document }) => document.refused);
  return error?.code === 'input.invalid' && problems.some(({ severity }) => severity === 'error');
}

function Subject({ data }: Pick<Props, 'data'>): VNode {
  const { org, stack, gvc, environment } = data.subject;
  const parts = [
    ['org', org],
    ['stack', stack],
    ['GVC', gvc],
    ['environment', environment],
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
