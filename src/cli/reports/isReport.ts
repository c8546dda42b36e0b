import { closeSync, openSync, readSync } from 'node:fs';

/** How reports begin. A document for programs begins with one of these members. */
const beginnings: readonly RegExp[] = [
  /^<!doctype html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*<meta http-equiv="content-security-policy"/,
  /^<!-- gantry report /,
  /^<\?xml [^>]*>\s*<testsuites name="gantry"/,
  /^\{\s*"\$schema": "[^"]*sarif[^"]*"[\s\S]*"name": "gantry"/,
  /^\[\s*(?:\]|\{\s*"description": )/,
  /^\{\s*"(?:formatVersion|stacks|valid|error)": /,
];
const beginningBytes = 1024;

/** Does this file hold a report of an earlier run, in any form, or nothing? Errors: those of the system. */
export function isReportFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(beginningBytes);
    const text = buffer.toString('utf8', 0, readSync(file, buffer));
    return text === '' || beginnings.some((beginning) => beginning.test(text));
  } finally {
    closeSync(file);
  }
}
