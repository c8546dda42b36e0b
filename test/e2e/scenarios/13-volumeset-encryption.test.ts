import { runScenario } from '../harness/scenario.ts';
import { scenario } from './13-volumeset-encryption.ts';

runScenario(scenario);
