import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { inParentheses } from '../../scripts/compileEarly.ts';
import { filesBelow } from '../harness/filesBelow.ts';

/** The functions of a text whose body has run, as V8 reports them: from their first word to their end. */
function ranIn(text: string, functions: readonly string[]): ReadonlySet<string> {
  return new Set(functions.map((each) => `${text.indexOf(each)}:${text.indexOf(each) + each.length}`));
}

// biome-ignore format: a row is a case
test.each([
  ['an arrow function', 'var a=(x)=>x,b=1;', ['(x)=>x'], 'var a=((x)=>x),b=1;'],
  ['a function in another, with the same end', 'var a=x=>y=>x+y;', ['x=>y=>x+y', 'y=>x+y'], 'var a=(x=>(y=>x+y));'],
  ['a function expression', 'f(function(){});', ['function(){}'], 'f((function(){}));'],
  ['what has them', 'f((()=>1));', ['()=>1'], 'f((()=>1));'],
  ['a method of an object', 'var o={"a.js"(x){return x}};', ['"a.js"(x){return x}'],
    'var o={"a.js":(function(x){return x})};'],
  ['no method with super', 'var o={a(){return super.a}};', ['a(){return super.a}'], 'var o={a(){return super.a}};'],
  ['no method of a class', 'class C{a(){}}', ['a(){}'], 'class C{a(){}}'],
  ['no getter', 'var o={get a(){return 1}};', ['get a(){return 1}'], 'var o={get a(){return 1}};'],
  ['no function that did not run', 'var a=()=>1;function b(){}', [], 'var a=()=>1;function b(){}'],
])('%s', (_, text, functions, expected) => {
  expect(inParentheses(text, ranIn(text, functions)).trim()).toBe(expected);
});

test('a declaration is available before the first statement, under its name, also after "#!"', () => {
  const text = '#!/usr/bin/env node\nresult=[twice(4),twice.name];\nfunction twice(n){return n>0?2+twice(n-1):0}\n';
  const rewritten = inParentheses(text, ranIn(text, ['function twice(n){return n>0?2+twice(n-1):0}']));
  expect(rewritten).toMatch(/^#!\/usr\/bin\/env node\nvar twice=\(function \(n\)/);
  const global = { result: undefined };
  new Script(rewritten).runInNewContext(global);
  expect(global.result).toEqual([8, 'twice']);
});

test('the planner of the built command line is compiled together with its file', () => {
  const chunks = new URL('../../dist/chunks', import.meta.url).pathname;
  const texts = filesBelow(chunks).map((file) => readFileSync(file, 'utf8'));
  expect(texts.filter((text) => text.includes('var makePlan=(')).length).toBe(1);
});
