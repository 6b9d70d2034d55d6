export const STYLE_ADDRESS = '/-/style.css';

/** The style sheet of all pages. Colours are named by their purpose; the dark scheme only redefines them. */
export const style = `
:root {
  color-scheme: light dark; --ground: #f7f8fa; --surface: #fff; --sunken: #eff1f5; --line: #dce0e8; --ink: #1b2130;
  --soft: #565f70; --link: #0b57c2; --radius: .6rem; --good: #14652f; --good-wash: #e2f4e8; --bad: #a8231c;
  --bad-wash: #fce8e6; --wait: #735200; --wait-wash: #fbf0d4; --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b; --surface: #1a1e26; --sunken: #242a34; --line: #343c49; --ink: #e6e9ef; --soft: #a5aebd;
    --link: #86b7ff; --good: #7bd89a; --good-wash: #14301e; --bad: #ff9a91; --bad-wash: #3a1c1a; --wait: #f0c766;
    --wait-wash: #342a0f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: .18em; text-decoration-thickness: .06em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
code, pre { font-family: var(--mono); font-size: .9em; }
code { overflow-wrap: anywhere; }
h1, h2, h3, h4 { line-height: 1.3; margin: 0; text-wrap: balance; }
h1 { font-size: 1.7rem; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .7rem; }
h3 { font-size: 1.02rem; } h4, h5, h6 { font-size: .97rem; margin: 1.2rem 0 .5rem; }
.wide { width: 100%; max-width: 68rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem); }
.skip { position: absolute; top: -4rem; left: 1rem; padding: .6rem 1rem; background: var(--link); color: var(--surface); }
.skip:focus { top: 0; }
.top { background: var(--surface); border-bottom: 1px solid var(--line); }
.top .wide { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; justify-content: space-between; padding-block: .85rem; }
.brand { font-weight: 700; font-size: 1.08rem; color: inherit; text-decoration: none; }
.path { font-size: .92rem; padding-block: .7rem 0; }
.path ol { display: flex; flex-wrap: wrap; list-style: none; margin: 0; padding: 0; }
.path li + li::before { content: "/" / ""; color: var(--soft); margin-inline: .55rem; }
main { flex: 1; padding-block: 1.4rem 4rem; }
main:focus { outline: none; }
.bottom { border-top: 1px solid var(--line); color: var(--soft); font-size: .88rem; }
.bottom .wide { padding-block: 1rem; }
.soft { color: var(--soft); font-weight: 400; }
.small { font-size: .9rem; }
.sentence { margin: .6rem 0 0; }
.state { display: inline-flex; align-items: center; gap: .4em; font-size: .84rem; font-weight: 600; line-height: 1.3;
  padding: .2em .7em; border-radius: 2em; white-space: nowrap; background: var(--sunken); color: var(--soft); }
.state::before { content: "" / ""; width: .55em; height: .55em; border-radius: 50%; background: currentColor; flex: none; }
.state.success, .state.open { background: var(--good-wash); color: var(--good); }
.state.failure { background: var(--bad-wash); color: var(--bad); }
.state.failure::before { border-radius: 1px; transform: rotate(45deg); }
.state.pending, .state.warning { background: var(--wait-wash); color: var(--wait); }
.state.pending::before { background: none; border: 2px solid currentColor; }
.empty { border: 1px dashed var(--soft); border-radius: var(--radius); padding: 1.1rem 1.2rem; color: var(--soft); margin: 0; }
.box { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); margin: 0 0 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: start; vertical-align: top; padding: .6rem 1rem; }
thead th, .head th { font-size: .84rem; font-weight: 600; color: var(--soft); background: var(--sunken); white-space: nowrap; }
tbody th { font-weight: 500; }
tr + tr > *, thead + tbody tr > * { border-top: 1px solid var(--line); }
.narrow { width: 1%; white-space: nowrap; }
td.narrow:last-child { text-align: end; }
pre { overflow-x: auto; margin: 0; padding: .75rem 1rem; background: var(--sunken); border-radius: .4rem; line-height: 1.55; }
.actions { display: flex; flex-wrap: wrap; gap: .6rem 1.4rem; margin: .9rem 0; }
.actions button { font: inherit; font-weight: 600; color: var(--surface); background: var(--link); border: 0; border-radius: .4rem; padding: .4rem .9rem; cursor: pointer; }
.run > header { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; padding: .8rem 1.1rem; border-bottom: 1px solid var(--line); }
.run > header a { margin-inline-start: auto; font-size: .95rem; }
.inside { padding: .9rem 1.1rem; }
.inside > :first-child, .inside > :last-child { margin-block: 0; }
.inside p, .inside ul, .inside ol { margin: .7rem 0; }
.inside ul, .inside ol { padding-inline-start: 1.4rem; }
.inside table { background: var(--surface); }
.inside .scroll { margin: .7rem 0; border: 1px solid var(--line); border-radius: .4rem; }
.inside .scroll td { min-width: 9rem; }
.file { border-top: 1px solid var(--line); padding: .9rem 1.1rem; }
.file h4 { margin: 0 0 .6rem; font-weight: 600; }
.file ol { list-style: none; margin: 0; padding: 0; }
.file li + li { margin-top: 1rem; }
.file p { margin: .3rem 0 .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.file mark { background: none; color: inherit; font-weight: 700; text-decoration: underline 2px var(--bad); text-underline-offset: .2em; }
.number { display: inline-block; min-width: 3ch; margin-inline-end: 1.5ch; text-align: end; color: var(--soft); user-select: none; }
:target { background: var(--wait-wash); }
button { font: inherit; font-weight: 600; color: var(--surface); background: var(--link); border: 0; border-radius: .4rem; padding: .5rem 1.1rem; cursor: pointer; }
label { font-weight: 600; }
input[type=text], select { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .4rem; padding: .5rem .7rem; width: min(100%, 26rem); }
details > summary { cursor: pointer; }
details > :not(summary) { margin-top: .6rem; }
`;
