import type { VNode } from 'preact';

interface Props {
  readonly word: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, word: string])[];
  readonly onChoose: (value: string) => void;
}

/** A selection of one option, with a label. */
export function Choice({ word, name, value, options, onChoose }: Props): VNode {
  return (
    <label class="choice">
      <span>{word}</span>
      <select name={name} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([each, said]) => (
          <option key={each} value={each}>
            {said}
          </option>
        ))}
      </select>
    </label>
  );
}
