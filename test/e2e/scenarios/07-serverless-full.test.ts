import { runScenario } from '../harness/scenario.ts';
import { scenario } from './07-serverless-full.ts';

runScenario(scenario);
