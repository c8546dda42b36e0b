import type { VNode } from 'preact';
import type { PageData } from '../../src/report/html/pageData.ts';
import { ActionBadge, Place, ResourceName, RiskBadge } from './badges.tsx';
import { JsonBody } from './jsonBody.tsx';
import { RefusalText } from './refusals.tsx';
import { counted, Text } from './text.tsx';

type Explanation = NonNullable<PageData['explanation']>;

interface Props {
  readonly explanation: Explanation;
  readonly printing: boolean;
}

/** Why one resource is planned as it is. */
export function ExplanationView({ explanation, printing }: Props): VNode {
  const { resource, action, intended, reason, risk, refusals, requests, proof, fields, equal, notes } = explanation;
  return (
    <section aria-labelledby="explanation-title">
      <h2 id="explanation-title">
        <ActionBadge action={action} intended={intended} /> <ResourceName id={resource} /> <RiskBadge risk={risk} />
      </h2>
      <p>
        <Text of={reason} />
      </p>
      {refusals.map((refusal, index) => (
        <div class="callout bad" key={index}>
          <RefusalText refusal={refusal} />
        </div>
      ))}
      <FieldTable title={`${counted(fields.length, 'field')} that differ`} fields={fields} />
      <FieldTable title={`${counted(equal.length, 'field')} that do not differ, and why`} fields={equal} />
      {requests.map(({ method, body }, index) => (
        <div class="part" key={index}>
          <h3>{method}</h3>
          {body !== undefined && <JsonBody body={body} printing={printing} />}
        </div>
      ))}
      {proof !== undefined && (
        <p class="proof">
          <strong>Proof:</strong> {counted(proof.managed, 'managed field')} as declared,{' '}
          {counted(proof.untouched, 'field')} of others untouched.
        </p>
      )}
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>
            <Text of={note} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FieldTable({
  title,
  fields,
}: {
  readonly title: string;
  readonly fields: Explanation['fields'];
}): VNode | null {
  if (fields.length === 0) return null;
  return (
    <div class="part">
      <h3>{title}</h3>
      <ul class="fields">
        {fields.map(({ path, because, at, risk, writer }, index) => (
          <li key={index}>
            <div class="field-head">
              <code class="field-path">
                <Text of={path} />
              </code>
              <RiskBadge risk={risk} />
              {at !== undefined && <Place at={at} />}
            </div>
            <p>
              <Text of={because} />
              {writer !== undefined && writer !== null && (
                <span class="cause">
                  {' '}
                  <Text of={`Written by ${writer.name} at ${writer.at}.`} />
                </span>
              )}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
