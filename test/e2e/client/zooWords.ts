import { isArray, isObject } from '../../../src/base/json/json.ts';
import { zoo } from '../scenarios/access/16-secret-zoo.ts';

/** The arguments after `secret create-TYPE --name NAME` that make the secret of the zoo, and its standard input. */
export function zooWords(type: string): { readonly words: readonly string[]; readonly input: string } {
  const data = zoo[type];
  if (!isObject(data)) return { words: ['--file', '-'], input: String(data) };
  const words = Object.entries(data).flatMap(([key, value]) => {
    if (type === 'dictionary') return ['--entry', `${key}=${String(value)}`];
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return (isArray(value) ? value : [value]).map((each) => `${flag}=${String(each)}`);
  });
  return { words, input: '' };
}
