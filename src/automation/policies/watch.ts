import { memberOf } from '../stack/thrown.ts';
import { thrownAt } from './failure.ts';
import type { PolicyFailure, PolicyLine, PolicyRequest } from './request.ts';

const megabyte = 2 ** 20;

/** Knows which policy is at work, and when it has had enough time and memory. */
export class PolicyWatch {
  readonly #request: Pick<PolicyRequest, 'timeoutMs' | 'memoryMb'>;
  readonly #restBytes: number;
  #startedMs: number | undefined;
  /** What is at work, and where its code is. */
  #what = 'the policies';
  #where: Pick<PolicyFailure, 'position'> = {};

  /** `restBytes`: what the process takes before anything of the policies is loaded. */
  constructor(request: Pick<PolicyRequest, 'timeoutMs' | 'memoryMb'>, restBytes: number) {
    this.#request = request;
    this.#restBytes = restBytes;
  }

  take(line: PolicyLine, nowMs: number): void {
    if ('loading' in line) this.#begin('the file', { file: line.loading, line: 1, column: 1 }, nowMs);
    else if ('asked' in line) this.#begin(`the policy ${line.asked.id}`, line.asked.position, nowMs);
    else if ('found' in line || 'failed' in line || 'policies' in line) this.#startedMs = undefined;
  }

  #begin(what: string, position: PolicyFailure['position'], nowMs: number): void {
    this.#startedMs = nowMs;
    this.#what = what;
    this.#where = position === undefined ? {} : { position };
  }

  /** What has to end, and why; undefined: nothing. */
  look(nowMs: number, usedBytes: number): PolicyLine | undefined {
    const { timeoutMs, memoryMb } = this.#request;
    if (this.#startedMs !== undefined && nowMs - this.#startedMs > timeoutMs) {
      const message = `${this.#what} was still running after ${timeoutMs / 1000} s, and was ended`;
      return this.#failed(
        'policies.timeout',
        message,
        'Let it end, or allow more time: policies.timeout in gantry.yaml.',
      );
    }
    return usedBytes - this.#restBytes > memoryMb * megabyte ? this.#outOfMemory() : undefined;
  }

  wroteTooMuch(): PolicyLine {
    const message = `${this.#what} wrote more than 1 MiB to its output, and was ended`;
    return this.#failed(
      'policies.output',
      message,
      'Return problems; write nothing but a few lines while you look for a mistake.',
    );
  }

  /** What nobody catches: an error of the engine. */
  threw(error: unknown): PolicyLine {
    if (memberOf(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY') return this.#outOfMemory();
    const { message } = thrownAt(error);
    return this.#failed(
      'policies.ended',
      `${this.#what} ended its thread: ${message}`,
      'Return problems, or throw an error.',
    );
  }

  /** Its thread came to an end. Undefined: it was said already why. */
  ended(): PolicyLine | undefined {
    if (this.#startedMs === undefined) return undefined;
    const message = `${this.#what} awaits a promise that never settles`;
    return this.#failed('policies.ended', message, 'Return problems, or throw an error.');
  }

  #outOfMemory(): PolicyLine {
    const message = `${this.#what} took more than ${this.#request.memoryMb} MiB of memory, and was ended`;
    return this.#failed('policies.memory', message, 'Let it take less, or allow more: policies.memory in gantry.yaml.');
  }

  #failed(code: string, message: string, hint: string): PolicyLine {
    return { failed: { code, message, hint, ...this.#where } };
  }
}
