// The pages' modules (web/static): browsers' globals by name, so that a slip is not taken for one of them.
import js from "@eslint/js";

const browser = ["AbortController", "Blob", "DecompressionStream", "Event", "EventSource", "Intl", "Node", "ResizeObserver", "Response", "TextDecoder", "URL", "URLSearchParams",
    "addEventListener", "clearTimeout", "console", "dispatchEvent", "document", "fetch",
    "getComputedStyle", "getSelection", "history", "localStorage",
    "location", "matchMedia", "navigator", "sessionStorage", "setTimeout", "window"];

export default [
    js.configs.recommended,
    {
        languageOptions: {
            ecmaVersion: 2022,
            sourceType: "module",
            globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
        },
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules: {
            "eqeqeq": ["error", "always", { null: "ignore" }],
            // a sentence stays on one line, so that it is found
            "max-len": ["error", { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true }],
            "no-control-regex": "off", // logs come with terminal colours, which are taken out
            "no-implicit-globals": "error",
            "no-unused-vars": ["error", { args: "after-used", caughtErrors: "all" }],
            "no-var": "error",
            "prefer-const": "error",
        },
    },
];
