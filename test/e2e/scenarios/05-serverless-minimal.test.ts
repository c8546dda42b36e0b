import { runScenario } from '../harness/scenario.ts';
import { scenario } from './05-serverless-minimal.ts';

runScenario(scenario);
