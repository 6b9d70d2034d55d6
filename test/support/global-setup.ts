/** Runs once per test run. */
export default function setup(): void {}
