import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const themes = [
  ['auto', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Light, dark, or as the system has it. It is not kept: a file from the disk may not store anything. */
export function ThemeSwitch(): VNode {
  const [theme, setTheme] = useState<string>('auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <fieldset class="theme">
      <legend class="unseen-label">Colours</legend>
      {themes.map(([value, word]) => (
        <label key={value}>
          <input type="radio" name="theme" value={value} checked={theme === value} onChange={() => setTheme(value)} />
          <span>{word}</span>
        </label>
      ))}
    </fieldset>
  );
}
