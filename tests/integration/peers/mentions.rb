# Whom GitHub would tell: its own parts (html-pipeline, cmark-gfm) on each text of a JSON list. stdout: a list for each text
# of those called (people, teams), linked and shown as pictures.
require "json"
require "html/pipeline"
require "commonmarker"
require "html/pipeline/@mention_filter"
require "html/pipeline/@team_mention_filter"

puts JSON.generate(JSON.parse($stdin.read).map { |text|
  html = CommonMarker.render_html(text, :UNSAFE, %i[table strikethrough autolink tagfilter])
  page = Nokogiri::HTML::DocumentFragment.parse(html)
  links = page.css("a").map { |link| link["href"] } + page.css("img").map { |picture| picture["src"] }
  HTML::Pipeline::MentionFilter.new(page, base_url: "/").call
  HTML::Pipeline::TeamMentionFilter.new(page, base_url: "/").call
  links + page.css(".user-mention, .team-mention").map(&:text)
})
